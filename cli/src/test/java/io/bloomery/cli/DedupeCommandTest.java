package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DedupeCommandTest {

  @TempDir private Path folder;

  private static Run dedupe(String input, String arguments) {
    return Run.withInput(input, (Object[]) ("dedupe " + arguments).strip().split(" ", -1));
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> Words.at(i) + "\n")
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--expected 10K", "--max-bytes 64KiB", "--window 10K"})
  void eachLineComesOnceInTheOrderOfTheInput(String arguments) {
    Run run = dedupe(lines(0, 3_000) + lines(1_000, 5_000) + lines(0, 6_000), arguments);
    assertEquals(lines(0, 6_000), run.out());
    assertTrue(
        run.err()
            .matches(
                "bloomery: 13,000 lines in, 6,000 out; at most about \\S+ of 7,000 dropped lines were"
                    + " dropped wrongly, \\S+ of the different ones\n"),
        run.err());
    assertEquals(ExitCode.OK, run.exitCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "a",
        "a\n",
        "a\nb",
        "a\r\nb\n",
        "a\r\n\r\n",
        "\r",
        "a\rb\n",
        "\000\377\n\200",
        "a\n\nb\r\nc"
      })
  void whatHasNoDuplicatesStaysAsItIsToTheByte(String input) {
    assertEquals(input, dedupe(input, "").out());
  }

  @Test
  void theEndOfTheFirstOfEqualLinesIsKept() {
    assertEquals("a\r\nb\n", dedupe("a\r\na\nb\nb\r\na", "").out());
  }

  @Test
  void filesWhoseLastLineHasNoEndDoNotRunIntoEachOther() throws IOException {
    Path one = Files.writeString(folder.resolve("one"), "a\nb");
    Path two = Files.writeString(folder.resolve("two"), "b\nc");
    assertEquals("a\nb\nc", Run.of("dedupe", one, two, one).out());
    assertEquals("a\nb", Run.of("dedupe", one, one).out());
  }

  @Test
  void aWindowForgets() {
    String twice = lines(0, 1_600) + lines(0, 100);
    assertEquals(twice, dedupe(twice, "--window 1000").out());
    assertEquals(lines(0, 999), dedupe(lines(0, 999) + lines(0, 999), "--window 1000").out());
  }

  @Test
  void aFilterThatIsTooSmallSaysSoAtOnceAndStatesTheLoss() {
    Run run = dedupe(lines(0, 30_000), "--expected 10000 --fpp 0.01");
    long out = run.out().lines().count();
    String[] said = run.err().split("\n", -1);
    assertEquals(
        "bloomery: warning: there are more than the 10,000 different lines that the filter is made"
            + " for, and from now on ever more are dropped wrongly; allow more",
        said[0]);
    double stated =
        Double.parseDouble(
            said[1].replaceAll(".*at most about ([0-9,]+) of.*", "$1").replace(",", ""));
    assertEquals(30_000.0 - out, stated, 0.1 * stated);
    assertEquals(3, said.length);
  }

  @Test
  void aSizeIsHeldTo() {
    Run run = dedupe(lines(0, 5_000), "--max-bytes 1KB --expected 2000");
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().contains("2000 keys at a rate of 1.0E-6 must have 28."), run.err());
    Run small = dedupe(lines(0, 5_000), "--max-bytes 1KB --expected 2000 --fpp 0.3");
    assertEquals(ExitCode.OK, small.exitCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--window 5 --expected 5 | --window says how much is remembered; leave out --expected and"
            + " --max-bytes",
        "--window 5 --max-bytes 5 | --window says how much is remembered; leave out --expected and"
            + " --max-bytes",
        "--window 0 | --window must be at least 1, but was 0",
        "--expected 0 | expected keys must be at least 1, but was 0",
        "--max-bytes 0 | --max-bytes must be from 1 to 1152921504606846975, but was 0",
        "--fpp 7 | rate must be between 0 and 1 (exclusive), but was 7.0; for 7.0 % write 0.07",
        "--window 5 --fpp 7 | rate must be between 0 and 1 (exclusive), but was 7.0; for 7.0 %"
            + " write 0.07"
      })
  void whatCannotBeDoneIsRefusedBeforeAnyOutput(String arguments, String message) {
    Run run = dedupe("a\n", arguments);
    assertEquals("bloomery: " + message + "\n", run.err());
    assertEquals("", run.out());
    assertEquals(ExitCode.USAGE, run.exitCode());
  }
}
