package io.bloomery.cli.dedupe;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.window.LiveSlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dedupe prints in several runs with one state that is a window. */
class WindowStateTest {

  @TempDir private Path folder;
  private Path state;

  @BeforeEach
  void name() {
    state = folder.resolve("recent");
  }

  private Run dedupe(String lines, String options) {
    return Run.piped(lines, "dedupe -q --state %s " + options, state);
  }

  private static String printed(Run run) {
    run.assertEnds(ExitCode.OK);
    return run.out();
  }

  /** Whatever the batches are, and wherever a run ends. */
  @Test
  void severalRunsPrintWhatOneWithoutStatePrints() throws IOException {
    Random random = Shell.draw();
    for (int trial = 0; trial < 12; trial++) {
      int window = 1 + random.nextInt(trial < 4 ? 3 : trial < 8 ? 300 : 3000);
      // So that some come again before they are forgotten, and others after.
      int different = 1 + random.nextInt(4 * window);
      List<String> lines =
          IntStream.range(0, 100 + random.nextInt(trial < 4 ? 200 : 4000))
              .mapToObj(i -> Math.min(random.nextInt(different), random.nextInt(different)) + "\n")
              .toList();
      String options =
          "--fpp 1e-12 --window " + window + (random.nextBoolean() ? " --since-printed" : "");
      StringBuilder inRuns = new StringBuilder();
      Files.deleteIfExists(state);
      for (int from = 0; from < lines.size(); ) {
        int to = Math.min(lines.size(), from + 1 + random.nextInt(lines.size()));
        String part = String.join("", lines.subList(from, to));
        inRuns.append(printed(dedupe(part, from == 0 || random.nextBoolean() ? options : "")));
        from = to;
      }
      assertEquals(
          printed(Run.piped(String.join("", lines), "dedupe -q " + options)),
          inRuns.toString(),
          options + " of " + lines.size() + " lines");
    }
    assertEquals("recent: ok\n", printed(Run.of("verify", state)).replace(folder + "/", ""));
  }

  @Test
  void linesOfATimeAreRememberedInLaterRuns() throws IOException {
    assertEquals("a\nb\n", printed(dedupe("a\nb\na\n", "--for 1000d --expected 10")));
    assertEquals("c\n", printed(dedupe("c\nb\na\n", "")));
    Run summary = Run.piped("c\nd\n", "dedupe --json --state %s --for 1000d", state);
    assertEquals("d\n", printed(summary));
    assertTrue(summary.err().matches("(?s).*\"forSeconds\" *: *86400000,.*"), summary.err());
    // More than were expected in each time.
    String many = lines(0, 100);
    dedupe(many, "").assertEnds(ExitCode.OUTGROWN);
    try (LiveSlidingBloomFilter<String> opened =
        SlidingBloomFilter.openLive(Bloomery.strings(), state)) {
      assertTrue(opened.mightContain("a"));
      dedupe("e\n", "--wait 0")
          .assertEnds(ExitCode.BAD_FILE, "by process " + ProcessHandle.current().pid());
    }
  }

  @Test
  void whatContradictsTheFileIsRefusedByName() throws IOException {
    dedupe("a\n", "--window 100 --fpp 0.001");
    assertRefused("--window 101", "100");
    assertRefused("--for 1h", "");
    assertRefused("--fpp 0.01", "0.001");
    assertRefused("--expected 100", "");
    assertRefused("--max-bytes 1G", "");
    assertRefused("--since-printed", "");
    assertRefused("--trim", "");
    assertEquals("b\n", printed(dedupe("b\n", "--window 100 --fpp 0.001")));
    Files.delete(state);
    dedupe("a\n", "--for 1h --since-printed");
    assertRefused("--window 100", "");
    assertRefused("--for 2h", "3600s");
    assertRefused("--expected 100", "1000000");
    assertEquals("b\n", printed(dedupe("b\n", "--for 60m --expected 1M --since-printed")));
  }

  private void assertRefused(String options, String made) throws IOException {
    byte[] before = Files.readAllBytes(state);
    Run run =
        dedupe("x\n", options)
            .assertEnds(
                ExitCode.USAGE, options.replaceFirst(" .*", "").replace("--trim", "trim"), made);
    assertArrayEquals(before, Files.readAllBytes(state));
    assertEquals("", run.out());
  }
}
