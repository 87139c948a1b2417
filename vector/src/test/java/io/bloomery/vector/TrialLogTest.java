package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.internal.CellKernel;
import io.bloomery.internal.PairKernel;
import io.bloomery.internal.ProbeKernel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log says which kernel runs, and why. */
class TrialLogTest {

  private static final int WARM_UPS = 1_000;
  private static final int PAIRS = 201;
  private static final int HASHES = 1_024;

  /** What locates each kernel. */
  private static final List<Runnable> KERNELS =
      List.of(
          BlockedKernel::installed,
          CellKernel::installed,
          PairKernel::installed,
          ProbeKernel::installed);

  private static final int JAVA = Runtime.version().feature();

  /** What the other JVM runs. */
  public static final class Main {

    private Main() {}

    /** Locates all kernels, and tries one of them. */
    public static void main(String[] arguments) {
      KERNELS.forEach(Runnable::run);
      System.out.println(
          new Trial("tried", 1, Lanes.COUNT, VectorKernel::race, 0).isFaster()
              ? "with vectors of 8 longs"
              : "without vectors");
    }
  }

  @Test
  void eachKernelIsLogged(@TempDir Path folder) throws Exception {
    Path levels =
        Files.writeString(
            folder.resolve("logging.properties"),
            """
            handlers = java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level = FINE
            io.bloomery.vector.level = FINE
            """);
    String said =
        WithoutVectorsTest.run(
            Main.class,
            "--add-modules=jdk.incubator.vector",
            "-Djava.util.logging.config.file=" + levels);
    assertTrue(said.contains("with blocks of four words run with vectors of 4 longs"), said);
    List<String> chosen =
        Pattern.compile("batches of (?!tried ).* filters run without vectors")
            .matcher(said)
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(KERNELS.size(), chosen.size(), said);
    assertEquals(KERNELS.size(), Set.copyOf(chosen).size(), said);
    for (String each : chosen) {
      assertTrue(JAVA >= 21 || said.contains(each + ": they are slower before Java 21"), said);
    }
    String tried = said.lines().findFirst().orElseThrow();
    Pattern line =
        Pattern.compile(
            "batches of tried filters run "
                + tried
                + ": 1,024 hashes take [\\d,]+ ns with vectors, [\\d,]+ without");
    assertTrue(line.matcher(said).find(), said);
  }

  @Test
  void aCompilerThatEndsAfterTheWarmUpIsWaitedFor() {
    AtomicInteger calls = new AtomicInteger();
    Trial.Race race =
        (vectors, hashes, from, to, hits) -> {
          if (!vectors) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < 3_000) {
              Thread.onSpinWait();
            }
          } else {
            int call = calls.getAndIncrement();
            if (call >= WARM_UPS && call < WARM_UPS + PAIRS) {
              LockSupport.parkNanos(300_000);
            }
          }
          return 0;
        };
    assertTrue(new Trial("late", 1, HASHES, () -> race, 0).isFaster());
    assertEquals(WARM_UPS + 2 * PAIRS, calls.get());
  }

  @Test
  void aReasonIsGivenWhereNoTrialIsNeeded() {
    for (int java = 17; java < 40; java++) {
      for (int longs : new int[] {4, 8, 16}) {
        Optional<String> reason = Trial.whySlower(java, longs);
        assertEquals(java >= 21 && longs >= 8, reason.isEmpty());
        String named = reason.orElse("");
        assertTrue(reason.isEmpty() || named.endsWith(" " + (java < 21 ? java : longs)), named);
      }
    }
  }
}
