package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drawn guards over drawn sources, one after the other: no promise is ever broken. */
class GuardCampaignTest {

  /** Lets a rebuild wait for nobody. */
  static final WriteBarrier NO_BARRIER =
      new WriteBarrier() {
        @Override
        public Passage enter() {
          return () -> {};
        }

        @Override
        public void awaitEarlier(Duration patience) {}
      };

  // Held, since loggers that nobody holds are collected, with their settings.
  private static final Logger LOGGER = Logger.getLogger("io.bloomery.guard");

  @TempDir Path temporary;

  private final Map<String, Long> figures = new TreeMap<>();

  @Test
  void twoSecondsBreakNoPromise() throws Exception {
    assertEquals(List.of(), List.copyOf(run(Duration.ofSeconds(2), true)));
  }

  @Tag("nightly")
  @Test
  void tenMinutesBreakNoPromise() throws Exception {
    assertEquals(List.of(), List.copyOf(run(Duration.ofMinutes(10), true)));
  }

  @Tag("nightly")
  @Test
  void theyAreSeenToBeBrokenWithoutTheWaitForEarlierWrites() throws Exception {
    Collection<String> violations = run(Duration.ofMinutes(2), false);
    assertTrue(violations.stream().anyMatch(what -> what.contains("is called absent")));
  }

  @BeforeEach
  void logNothing() {
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void logAgain() {
    LOGGER.setUseParentHandlers(true);
  }

  /** Runs rounds until the first violation, or for so long. */
  private Collection<String> run(Duration length, boolean withBarrier) throws Exception {
    long seed = Long.getLong("bloomery.guard.seed", System.nanoTime());
    long end = System.nanoTime() + length.toNanos();
    Queue<String> violations = new ConcurrentLinkedQueue<>();
    while (violations.isEmpty() && System.nanoTime() - end < 0) {
      Path folder = Files.createDirectory(temporary.resolve(Long.toString(seed)));
      Round round = new Round(seed++, withBarrier ? new WriteEpochs() : NO_BARRIER, folder);
      violations.addAll(round.run());
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
      for (int i = 0; i < 10; i++) {
        Moments.fullFilter(violations);
      }
      Moments.olderLoad(violations);
      if (violations.isEmpty()) { // otherwise the guard may not answer any more
        round.addTo(figures);
      }
      figures.merge("rounds", 1L, Long::sum);
    }
    System.out.println(figures + (violations.isEmpty() ? "" : ", violated: " + violations));
    return violations;
  }
}
