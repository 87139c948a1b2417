package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Gzip;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a line above the limit is reported, however it is read. */
class LineLimitTest {

  @TempDir private Path folder;

  private static Run dedupe(String input, String options) {
    return Run.withInput(input, (Object[]) ("dedupe " + options).strip().split(" +"));
  }

  private static void assertTooLong(int line, long limit, Run run) {
    assertEquals(
        "bloomery: the standard input: line "
            + line
            + ": a line must have at most "
            + limit
            + " bytes, but has more; see where its end is missing, or allow more by --max-line\n",
        run.err());
    run.assertEnds(ExitCode.BAD_FILE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 5_000, 200_000, 300_000})
  void aLineMayHaveAsManyBytesAndNoMore(int limit) {
    String longest = "x".repeat(limit);
    for (String options : new String[] {"", "--trim", "--csv 1", "--tsv 1"}) {
      String option = options + " --max-line " + limit;
      for (String end : new String[] {"\n", "\r\n", ""}) {
        String good = longest + "\n\n" + longest.substring(1) + "y" + end;
        Run run = dedupe(good, option);
        assertEquals(ExitCode.OK, run.exitCode(), option + ": " + run.err());
        assertTooLong(2, limit, dedupe("a\n" + longest + "x" + end, option));
      }
    }
    dedupe(longest + "\0a", "-0 --max-line " + limit).assertEnds(ExitCode.OK);
    assertTooLong(2, limit, dedupe("a\0" + longest + "x\0", "-0 --max-line " + limit));
    assertTooLong(2, limit, dedupe("a\0" + longest + "\n", "-0 --max-line " + limit));
  }

  /** An endless input, of which no more is read than necessary. */
  private static final class Endless extends InputStream {
    private final byte[] start;
    private long read;

    Endless(String start) {
      this.start = start.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public int read() {
      throw new AssertionError("single bytes must not be read");
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      for (int i = from; i < from + length; i++, read++) {
        bytes[i] = read < start.length ? start[(int) read] : (byte) 'x';
      }
      return length;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {"'a,b\n'| none", "'a,b\n'| --csv=1", "'a,b\n\"'| --csv=1", "'a\tb\n'| --tsv=1"})
  void aLineThatNeverEndsIsGivenUp(String start, String option) {
    Endless endless = new Endless(start);
    Run run =
        Run.reading(endless, "dedupe", "--max-line=1MiB", option == null ? "--lines" : option);
    assertTooLong(2, 1 << 20, run);
    assertTrue(endless.read < 2 << 20, endless.read + " bytes");
  }

  @Test
  void gzipMayNotGrowIntoALineWithoutAnEnd() throws IOException {
    Path bomb = Files.write(folder.resolve("bomb"), Gzip.of(new byte[80 << 20]));
    Path filter = folder.resolve("made.bloom");
    for (String option : new String[] {"--expected=9", "--fpp=0.01"}) {
      Run run = Run.command("create %s -o %s %s", option, filter, bomb);
      assertTrue(
          run.err()
              .startsWith("bloomery: " + bomb + ": line 1: a line must have at most 67108864 "),
          run.err());
      run.assertEnds(ExitCode.BAD_FILE);
      assertFalse(Files.exists(filter));
    }
    Run.command("create --expected=9 --max-line=80MiB -o %s %s", filter, bomb)
        .assertEnds(ExitCode.OK);
  }

  @Test
  void everyCommandThatReadsLinesHasTheOption() {
    for (String command :
        new String[] {"create", "add", "remove", "check", "dedupe", "compare", "demo"}) {
      String help = Run.of(command, "--help").out().replaceAll("\\s+", " ");
      assertTrue(help.contains("--max-line=BYTES"), help);
      assertTrue(help.contains("(default: 64MiB)"), help);
    }
    Run run = Run.piped("abc\n", "demo --keys - --max-line 2");
    assertTooLong(1, 2, run);
    Run.assertFails(
        ExitCode.USAGE, "--max-line must be at least 1, but was 0", dedupe("a\n", "--max-line 0"));
  }
}
