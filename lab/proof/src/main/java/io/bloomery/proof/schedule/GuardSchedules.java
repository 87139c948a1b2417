package io.bloomery.proof.schedule;

import io.bloomery.Bloomery;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardBuilder;
import io.bloomery.guard.GuardSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What is done to a guard at the same time; each method ends with what must then hold. */
public final class GuardSchedules {

  private static final String KEY = "ada";
  private static final Duration LONG = Duration.ofDays(1);

  private GuardSchedules() {}

  /** A key that is written while a filter is filled is found from then on. */
  public static void writeBesideRebuild() throws Exception {
    Map<String, String> table = new ConcurrentHashMap<>(Map.of("old", "1"));
    try (Guard<String, String> guard = ready(builder(table))) {
      CompletableFuture<Void> rebuilt = guard.rebuild();
      Thread write = Schedule.start(() -> guard.write(KEY, () -> table.put(KEY, "2")));
      write.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the write");
      rebuilt.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the rebuild");
      Schedule.check(guard.get("old").isPresent(), "what was there is found");
    }
  }

  /** A key whose creation is reported while a filter is filled is found from then on. */
  public static void createdBesideRebuild() throws Exception {
    Map<String, String> table = new ConcurrentHashMap<>();
    try (Guard<String, String> guard = ready(builder(table))) {
      CompletableFuture<Void> rebuilt = guard.rebuild();
      Thread create =
          Schedule.start(
              () -> {
                table.put(KEY, "1");
                guard.created(KEY);
              });
      Thread load = Schedule.start(() -> guard.get(KEY));
      create.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the report");
      load.join();
      rebuilt.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the rebuild");
    }
  }

  /** A load beside a delete and a write leaves no answer that is out of date. */
  public static void loadBesideDeleteAndWrite() throws Exception {
    Map<String, String> table = new ConcurrentHashMap<>(Map.of(KEY, "1", "old", "1"));
    try (Guard<String, String> guard = ready(builder(table).removeDeleted())) {
      Thread load = Schedule.start(() -> guard.get(KEY));
      Thread delete = Schedule.start(() -> guard.delete(KEY, () -> table.remove(KEY) != null));
      CompletableFuture<Void> rebuilt = guard.rebuild();
      delete.join();
      Schedule.check(guard.get(KEY).isEmpty(), "absent after the delete");
      guard.write(KEY, () -> table.put(KEY, "2"));
      Schedule.check(guard.get(KEY).equals(Optional.of("2")), "found after the write");
      load.join();
      rebuilt.join();
      Schedule.check(guard.get(KEY).equals(Optional.of("2")), "found after the rebuild");
      Schedule.check(guard.get("old").isPresent(), "what was there is found");
    }
  }

  /** Closing ends every rebuild that was asked for, and whoever waits is told. */
  public static void closeBesideRebuild() throws Exception {
    Guard<String, String> guard = builder(new ConcurrentHashMap<>(Map.of("old", "1"))).build();
    Thread close = Schedule.start(guard::close);
    try {
      guard.rebuild().join();
    } catch (CompletionException | IllegalStateException closed) {
      // either it was closed before or meanwhile
    }
    close.join();
    try {
      guard.get("old");
      throw new AssertionError("a closed guard must not answer");
    } catch (IllegalStateException expected) {
      // closed
    }
  }

  /**
   * A key that is written while a rebuild puts a file in place of another is found from then on.
   */
  public static void writeBesideSwap() throws Exception {
    Map<String, String> table = new ConcurrentHashMap<>(Map.of("old", "1"));
    Path folder = Files.createTempDirectory("swap");
    Path place = folder.resolve("guard");
    try (Guard<String, String> guard = ready(builder(table).liveIn(place))) {
      CompletableFuture<Void> rebuilt = guard.rebuild();
      Thread write = Schedule.start(() -> guard.write(KEY, () -> table.put(KEY, "2")));
      write.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the write");
      rebuilt.join();
      Schedule.check(guard.get(KEY).isPresent(), "found after the rebuild");
    }
    try (Guard<String, String> guard = builder(table).liveIn(place).build()) {
      Schedule.check(guard.mightContain(KEY), "found in what was kept");
      guard.rebuild().join();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path left : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(left);
      }
    }
  }

  private static GuardBuilder<String, String> builder(Map<String, String> table) {
    return Guard.builder(
            Bloomery.strings().expect(10).fpp(0.01),
            GuardSource.<String, String>of(
                () -> table.keySet().stream(), key -> Optional.ofNullable(table.get(key))))
        .name("schedules")
        .pause(LONG)
        .patience(LONG)
        .rebuildEvery(LONG);
  }

  private static Guard<String, String> ready(GuardBuilder<String, String> builder)
      throws Exception {
    Guard<String, String> guard = builder.build();
    guard.rebuild().join();
    return guard;
  }
}
