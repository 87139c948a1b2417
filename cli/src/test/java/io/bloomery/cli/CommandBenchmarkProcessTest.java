package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code lab/benchmarks/command} on a small number of lines. */
@Tag("jar")
class CommandBenchmarkProcessTest {

  private static final Path ROOT =
      Path.of(System.getProperty("bloomery.launcher")).toAbsolutePath().normalize().getParent();

  @TempDir private Path folder;

  @Test
  @Tag("nightly")
  void everyToolFindsTheSameInALittleHeap() throws Exception {
    Run answer =
        new Shell(folder)
            .with("JAVA_HOME", System.getProperty("java.home"))
            .with("TMPDIR", folder.toString())
            .run(
                "'"
                    + ROOT.resolve("lab/benchmarks/command")
                    + "' --lines 20000 --needles 1000 --heap 64m --rounds 1 --bloomery '"
                    + System.getProperty("bloomery.jar")
                    + "'");
    answer.assertEnds(0);
    Map<String, String> found = new HashMap<>();
    answer
        .out()
        .lines()
        .filter(line -> line.startsWith("| ") && line.contains("`"))
        .map(line -> line.split(" \\| "))
        .forEach(cells -> found.put(cells[1], cells[2].strip()));
    assertEquals("20000", found.get("`./bloomery check -c lines.bloom lines.txt`"), answer.out());
    // One in a million others passes, too: of these 20,000, which are always the same, one.
    long passed = Long.parseLong(found.get("`./bloomery check -c needles.bloom half.txt`"));
    assertTrue(passed >= 1_000 && passed <= 1_003, answer.out());
    assertEquals("1000", found.get("`grep -c -x -F -f needles.txt half.txt`"));
    String different = found.get("`sort -u -S 64M repeats.txt`");
    assertEquals(different, found.get("`awk '!seen[$0]++' repeats.txt`"));
    assertEquals(different, found.get("`./bloomery dedupe -q repeats.txt`"));
    // Different lines are lost in each run: more than three in one of 10^11 runs.
    long printed = Long.parseLong(found.get("`./bloomery dedupe -q --expected 10000 repeats.txt`"));
    assertTrue(Math.abs(Long.parseLong(different) - printed) <= 3, answer.out());
    assertEquals(different, found.get("`./bloomery dedupe -q --window 1M repeats.txt`"));
  }
}
