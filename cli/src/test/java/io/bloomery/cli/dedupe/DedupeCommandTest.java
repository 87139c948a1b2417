package io.bloomery.cli.dedupe;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.InChunks;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Run;
import io.bloomery.cli.input.LineReader;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--expected 10K",
        "--max-bytes 64KiB",
        "--window 10K",
        "--window 10K --since-printed",
        "--for 1h",
        "--for 1h --since-printed"
      })
  void eachLineComesOnceInTheOrderOfTheInput(String arguments) {
    Run run = dedupe(lines(0, 3_000) + lines(1_000, 5_000) + lines(0, 6_000), arguments);
    assertEquals(lines(0, 6_000), run.out());
    assertTrue(
        run.err()
            .matches(
                "bloomery: 13,000 lines in, 6,000 out; of 7,000 dropped, (none was new|probably"
                    + " none was new, and at most [1-4]) \\(but for a chance of one in a"
                    + " million\\)\n"),
        run.err());
    run.assertEnds(ExitCode.OK);
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
        "a\n\r",
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k,v\r\na,1\r\nb,2\r\n",
        "k,v\r\na,1\r\nb,2",
        "k,v\r\n\"a\r\nb\",1\r\nb,2\n",
        "k,v\ra,1\rb,2\r",
        "k,v\r\n",
        "k,v"
      })
  void aTableStaysAsItIsToTheByteHoweverItComes(String input) {
    for (int chunk = 1; chunk < 9; chunk++) {
      Run run =
          Run.reading(
              new InChunks(input.getBytes(StandardCharsets.US_ASCII), chunk), "dedupe", "--csv=k");
      assertEquals(input, run.out(), run.err());
    }
  }

  @Test
  void theHeaderOfTablesComesOnce() throws IOException {
    Path one = Files.writeString(folder.resolve("one"), "k,v\na,1\nb,2");
    Path two = Files.writeString(folder.resolve("two"), "k,v\r\nA,3\r\nc,4\r\n");
    assertEquals(
        "k,v\na,1\nb,2\nc,4\r\n",
        Run.command("dedupe --csv=k --ignore-case %s %s", one, two).out());
    Path empty = Files.writeString(folder.resolve("empty"), "k,v");
    assertEquals("k,v\na,1\nb,2", Run.of("dedupe", "--csv=k", empty, one).out());
    assertEquals("k,v", Run.of("dedupe", "--csv=k", empty, empty).out());
  }

  @Test
  void keysDecideAndLinesArePrinted() {
    assertEquals("Iron \r\nB", dedupe("Iron \r\n iron\r\nB", "--trim --ignore-case").out());
    assertEquals("a\nb\0c\0", dedupe("a\nb\0c\0a\nb\0", "-0").out());
    assertEquals("a\0b", dedupe("a\0a\0b", "--null").out());
    assertEquals("ff\n00\n", dedupe("ff\nFF\n00\n", "--hex").out());
  }

  @Test
  void linesLongerThanABufferKeepTheirEnds() {
    String line = "x".repeat(LineReader.BUFFER);
    for (String end : new String[] {"\r\n", "\n", "", "\r"}) {
      for (String arguments : new String[] {"", "--ignore-case"}) {
        String input = "a\r\n" + line + end;
        assertEquals(input, dedupe(input, arguments).out());
        assertEquals(line + "\r\nb\n", dedupe(line + "\r\n" + line + "\nb\n", arguments).out());
      }
    }
  }

  @Test
  void aLineThatHoldsNoKeyIsNamed() {
    Run run = dedupe("00\n00\n01\nxy\n", "--hex").assertEnds(ExitCode.BAD_FILE);
    assertTrue(run.err().startsWith("bloomery: the standard input: line 4: "), run.err());
    assertEquals(1, run.err().lines().count());
  }

  @Test
  void programsGetTheSummaryBesideTheLines() throws IOException {
    Run run = dedupe("a\nb\na\n", "--json --quiet --fpp 0.5");
    assertEquals("a\nb\n", run.out());
    Map<String, Object> summary = JsonObjects.parse(run.err()).get(0);
    assertEquals(3.0, summary.get("lines"));
    assertEquals(2.0, summary.get("new"));
    assertEquals(1.0, summary.get("dropped"));
    assertEquals(0.5, summary.get("targetRate"));
    assertEquals(0.0, summary.get("lost"));
    assertEquals(0.0, summary.get("lostRate"));
    assertEquals(
        Set.of("lines", "new", "dropped", "lost", "lostRate", "targetRate"), summary.keySet());
    Run small = dedupe(lines(0, 30_000), "--json --expected 10000 --fpp 0.01");
    Map<String, Object> outgrown = JsonObjects.parse(small.err()).get(0);
    assertEquals(10_000.0, outgrown.get("expectedKeys"));
    assertEquals(true, outgrown.get("outgrown"));
    double lost = (double) outgrown.get("lost");
    double printed = (double) outgrown.get("new");
    assertTrue(lost >= 30_000 - printed && lost == Math.rint(lost), lost + "");
    assertEquals(lost / (printed + lost), outgrown.get("lostRate"));
    Run window = dedupe("a\n", "--json --window 7");
    assertEquals(7.0, JsonObjects.parse(window.err()).get(0).get("window"));
    assertEquals(0.0, JsonObjects.parse(window.err()).get(0).get("lostRate"));
  }

  @Test
  void whoWantsQuietGetsTheLines() {
    Run run = dedupe(lines(0, 300) + lines(0, 300), "-q --expected 300 --fpp 1e-9");
    assertEquals("", run.err());
    assertEquals(lines(0, 300), run.out());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void whoWantsQuietHearsOfLossAllTheSame() {
    Run quiet = dedupe(lines(0, 30_000), "-q --expected 1000");
    List<String> said = quiet.err().lines().toList();
    assertEquals(2, said.size(), quiet.err());
    assertTrue(
        said.get(0).startsWith("bloomery: warning: there are more than the 1,000 different lines"),
        quiet.err());
    assertTrue(said.get(1).startsWith("bloomery: warning: 30,000 lines in, "), quiet.err());
    quiet.assertEnds(ExitCode.OUTGROWN);
    dedupe(lines(0, 30_000), "-q --json --expected 1000").assertEnds(ExitCode.OUTGROWN);
    dedupe(lines(0, 1_000), "--expected 1000").assertEnds(ExitCode.OK);
    dedupe(lines(0, 1_001), "--expected 1000").assertEnds(ExitCode.OUTGROWN);
  }

  @Test
  void aWindowForgets() {
    String twice = lines(0, 1_600) + lines(0, 100);
    assertEquals(twice, dedupe(twice, "--window 1000").out());
    assertEquals(lines(0, 999), dedupe(lines(0, 999) + lines(0, 999), "--window 1000").out());
  }

  /** The first line comes between any two others. */
  @Test
  void aLineThatKeepsComingIsPrintedAgainIfWhatCountsIsWhenItWasPrinted() throws IOException {
    String all = "again\n" + String.join("\nagain\n", lines(0, 5_000).split("\n")) + "\n";
    assertEquals("again\n" + lines(0, 5_000), dedupe(all, "--window 1000").out());
    Run run = dedupe(all, "--window 1000 --since-printed --json");
    List<String> out = run.out().lines().toList();
    List<Integer> places =
        IntStream.range(0, out.size()).filter(i -> out.get(i).equals("again")).boxed().toList();
    for (int i = 1; i < places.size(); i++) {
      int others = places.get(i) - places.get(i - 1) - 1;
      assertTrue(others >= 1_000 && others <= 1_500, others + " others");
    }
    assertTrue(places.size() >= 4, places + "");
    assertEquals(lines(0, 5_000), run.out().replace("again\n", ""));
    assertEquals(true, JsonObjects.parse(run.err()).get(0).get("sincePrinted"));
  }

  /** It comes until it was printed twice, which takes 1.0 to 1.5 seconds at least. */
  @Test
  void aLineThatComesMoreOftenThanATimeIsPrintedAgain() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Enumeration<InputStream> lines =
        new Enumeration<>() {
          private int left = 10_000;

          @Override
          public boolean hasMoreElements() {
            return out.size() < 4 && left > 0;
          }

          @Override
          public InputStream nextElement() {
            LockSupport.parkNanos(10_000_000);
            left--;
            return new ByteArrayInputStream(new byte[] {'a', '\n'});
          }
        };
    InputStream again = new SequenceInputStream(lines);
    Run.into(out, again, Bloomery::installed, "dedupe", "--for", "1s", "--since-printed");
    assertEquals("a\na\n", out.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void whatComesWithinATimeMoreOftenThanExpectedIsSaidAndNotForgotten() throws IOException {
    Run run = dedupe(lines(0, 30_000) + lines(0, 30_000), "--for 24h --expected 10K --fpp 0.01");
    assertTrue(run.out().lines().distinct().count() == run.out().lines().count());
    assertTrue(
        run.err()
            .startsWith(
                "bloomery: warning: there are more than the 10,000 different lines that the filter"
                    + " is made for"),
        run.err());
    run.assertEnds(ExitCode.OUTGROWN);
    Run json = dedupe(lines(0, 1_000), "--json --for 7d");
    Map<String, Object> summary = JsonObjects.parse(json.err()).get(0);
    assertEquals(604_800.0, summary.get("forSeconds"));
    assertEquals(1_000_000.0, summary.get("expectedKeys"));
    assertEquals(false, summary.get("outgrown"));
    json.assertEnds(ExitCode.OK);
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
    Matcher stated =
        Pattern.compile(
                "bloomery: warning: 30,000 lines in, [0-9,]+ out; of [0-9,]+ dropped, about"
                    + " ([0-9,]+) were new, and at most ([0-9,]+) \\(but for a chance of one in a"
                    + " million\\)")
            .matcher(said[1]);
    if (stated.matches()) {
      assertEquals(30_000.0 - out, number(stated.group(1)), 0.1 * out);
      assertTrue(number(stated.group(2)) >= 30_000 - out, said[1]);
    } else {
      assertTrue(said[1].endsWith(" dropped, all may have been new"), said[1]);
    }
    assertEquals(3, said.length);
    run.assertEnds(ExitCode.OUTGROWN);
  }

  private static double number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  @Test
  void whatIsLostIsStatedInWordsThatAreTrue() {
    assertEquals(
        "bloomery: 6 lines in, 3 out; of 3 dropped, none was new (but for a chance of one in a"
            + " million)\n",
        dedupe("a\nb\nc\na\nb\nc\n", "").err());
    assertEquals("bloomery: 1 lines in, all of them out\n", dedupe("a\n", "").err());
    // At a rate of one half, nothing can be excluded.
    assertTrue(
        dedupe("a\nb\nc\na\n", "--expected 3 --fpp 0.5").err().contains("all may have been new"));
    // No number in the summary is less than one line.
    assertFalse(dedupe(lines(0, 50) + lines(0, 50), "").err().matches("(?s).*[0-9]e-.*"));
  }

  @Test
  void aSizeIsHeldTo() {
    dedupe(lines(0, 5_000), "--max-bytes 1KB --expected 2000")
        .assertEnds(ExitCode.USAGE, "2000 keys at a rate of 1.0E-6 must have 7192 bytes");
    dedupe(lines(0, 2_000), "--max-bytes 1KB --expected 2000 --fpp 0.3").assertEnds(ExitCode.OK);
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
        "--for 1h --window 5 | --for says how long lines are remembered, and --expected for how"
            + " many in that time; leave out --window and --max-bytes",
        "--since-printed --expected 5 | --since-printed says from when on --for or --window counts,"
            + " and lines are remembered for ever without them; add one of them, as in --for 24h",
        "--for 0s | the time of a window must be from 1 ms to 25,000 days, but was PT0S",
        "--expected 0 | expected keys must be at least 1, but was 0",
        "--max-bytes 0 | --max-bytes must be from 1 to 1152921504606846975, but was 0",
        "--fpp 7 | rate must be between 0 and 1 (exclusive), but was 7.0; for 7.0 % write 0.07",
        "--window 5 --fpp 7 | rate must be between 0 and 1 (exclusive), but was 7.0; for 7.0 %"
            + " write 0.07"
      })
  void whatCannotBeDoneIsRefusedBeforeAnyOutput(String arguments, String message) {
    Run.assertFails(ExitCode.USAGE, message, dedupe("a\n", arguments));
  }

  /**
   * Finds lines that together set every bit of another line in a filter for so many lines, if lines
   * are hashed without a secret: each of them sets the next missing bit.
   */
  private static List<String> linesThatHide(String victim, FilterPlan plan) {
    FilterProvider provider = Bloomery.installed().providers().get(DefaultVariants.FIXED);
    Set<Long> missing = positions(provider, plan, victim);
    List<String> lines = new ArrayList<>();
    for (int i = 0; !missing.isEmpty(); i++) {
      String line = "line-" + i;
      if (missing.removeAll(positions(provider, plan, line))) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static Set<Long> positions(FilterProvider provider, FilterPlan plan, String line) {
    long hash = KeyHash.TEXT.hash(line.getBytes(StandardCharsets.US_ASCII));
    return Arrays.stream(provider.positions(hash, plan.sizeInBits(), plan.probes()).orElseThrow())
        .boxed()
        .collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * At a rate of 10^-6 for a thousand lines, some twenty chosen lines hide any other one if lines
   * are hashed without a secret. With a secret, a line after so few others is dropped at a rate
   * below 10^-30.
   */
  @Test
  void nobodyCanChooseLinesThatLetAnotherBeDropped() {
    FilterSpec spec = FilterSpec.of(1_000, 1e-6);
    FilterProvider provider = Bloomery.installed().providers().get(DefaultVariants.FIXED);
    int hidden = 0;
    int dropped = 0;
    int victims = 50;
    for (int i = 0; i < victims; i++) {
      String victim = "victim-" + i;
      List<String> chosen = linesThatHide(victim, provider.plan(spec));
      Filter open = provider.create(spec, ThreadMode.CONFINED);
      chosen.forEach(line -> open.put(KeyHash.TEXT.hash(line.getBytes(StandardCharsets.US_ASCII))));
      boolean isHidden =
          open.mightContain(KeyHash.TEXT.hash(victim.getBytes(StandardCharsets.US_ASCII)));
      hidden += isHidden ? 1 : 0;
      String input = String.join("\n", chosen) + "\n" + victim + "\n";
      String out = dedupe(input, "-q --expected 1000").out();
      dropped += out.endsWith(victim + "\n") ? 0 : 1;
    }
    System.out.printf(
        "%d lines behind chosen ones: %d dropped without a secret, %d by dedupe%n",
        victims, hidden, dropped);
    assertEquals(victims, hidden, "the attack works");
    assertEquals(0, dropped);
  }

  @Test
  void aSecretFileMakesTheOutputRepeatable() throws IOException {
    String arguments = "-q --expected 1000 --fpp 0.5";
    String withSecret = arguments + " --secret-file " + writeSecret("sixteen bytes or more");
    String once = dedupe(lines(0, 2_000), withSecret).out();
    assertEquals(once, dedupe(lines(0, 2_000), withSecret).out());
    // Some hundreds of two thousand lines are dropped, hardly ever the same ones.
    String withOther = arguments + " --secret-file " + writeSecret("another secret as long");
    assertNotEquals(once, dedupe(lines(0, 2_000), withOther).out());
    assertNotEquals(once, dedupe(lines(0, 2_000), arguments).out());
    assertNotEquals(
        dedupe(lines(0, 2_000), arguments).out(), dedupe(lines(0, 2_000), arguments).out());
  }

  private Path writeSecret(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "secret", ""), text);
  }
}
