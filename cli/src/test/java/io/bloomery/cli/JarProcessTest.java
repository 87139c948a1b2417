package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.trial.ExactRate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the finished jar as a process: a word list of 650,000 lines, pipes and exit codes. */
class JarProcessTest {

  private static final int WORDS = 650_000;

  @TempDir private static Path folder;
  private static Shell shell;

  @BeforeAll
  static void createAFilterOfManyWords() throws Exception {
    shell = new Shell(folder).with("BLOOMERY", Shell.jar());
    PronounceableWords.write(folder.resolve("words.txt"), 0, WORDS);
    PronounceableWords.write(folder.resolve("absent.txt"), WORDS, 2 * WORDS);
    Shell.Answer created = bloomery("create -o words.bloom words.txt");
    assertEquals(0, created.exitCode(), created.err());
    assertTrue(
        created
            .err()
            .matches("bloomery: words.bloom: 650,000 lines added, at least 6\\d\\d,\\d{3} new\n"),
        created.err());
  }

  private static Shell.Answer bloomery(String arguments) throws Exception {
    return shell.run("eval \"$BLOOMERY " + arguments + "\"");
  }

  @Test
  void noneOfManyWordsIsMissing() throws Exception {
    assertEquals("650000\n", bloomery("check -c words.bloom words.txt").out());
    Shell.Answer missing = bloomery("check -v words.bloom words.txt");
    assertEquals("", missing.out());
    assertEquals(ExitCode.NONE, missing.exitCode());
  }

  /** Exact tests at 1e-6 each; the words are fixed, so that every run has the same result. */
  @Test
  void falsePositivesAreAsRareAsAskedAndAsStated() throws Exception {
    int hits = Integer.parseInt(bloomery("check -c words.bloom absent.txt").out().strip());
    ExactRate measured = new ExactRate(hits, WORDS);
    assertFalse(measured.isAbove(0.01), hits + " of " + WORDS);
    Map<String, Object> info = JsonObjects.parse(bloomery("info --json words.bloom").out()).get(0);
    double stated = (double) info.get("estimatedRate");
    assertTrue(measured.high() >= 0.9 * stated, measured + " is too low for " + stated);
    assertTrue(measured.low() <= 1.1 * stated, measured + " is too high for " + stated);
  }

  @Test
  void pipesWorkFromEndToEnd() throws Exception {
    Shell.Answer answer =
        shell.run(
            "head -n 1000 words.txt | eval \"$BLOOMERY create -o piped.bloom --expected 1000\""
                + " && head -n 3000 words.txt | eval \"$BLOOMERY check piped.bloom\" | head -n 1000"
                + " | cmp - words.txt");
    // The output is the first thousand lines of words.txt: cmp must find no difference before its
    // end.
    assertTrue(answer.err().contains("EOF on -"), answer.err());
    assertEquals("", answer.out());
  }

  @Test
  void aPipeOfUnknownLengthGoesIntoAFilterThatGrows() throws Exception {
    Shell.Answer made =
        shell.run(
            "cat words.txt | eval \"$BLOOMERY create -o grown.bloom\""
                + " && eval \"$BLOOMERY create -o same.bloom\" <words.txt && cmp grown.bloom"
                + " same.bloom");
    assertEquals(0, made.exitCode(), made.out() + made.err());
    assertEquals("650000\n", bloomery("check -c grown.bloom words.txt").out());
    int hits = Integer.parseInt(bloomery("check -c grown.bloom absent.txt").out().strip());
    assertFalse(new ExactRate(hits, WORDS).isAbove(0.01), hits + " of " + WORDS);
  }

  @Test
  void removedLinesAreGoneAndTheOthersAreNot() throws Exception {
    shell.run("head -n 1000 words.txt >some.txt && tail -n 1000 words.txt >others.txt");
    bloomery("create --variant counting -o counted.bloom some.txt others.txt");
    Shell.Answer removed = bloomery("remove counted.bloom some.txt");
    assertEquals(0, removed.exitCode(), removed.err());
    assertEquals("1000\n", bloomery("check -c counted.bloom others.txt").out());
    assertEquals(1, bloomery("remove counted.bloom some.txt").exitCode());
  }

  @Test
  void exitCodesReachTheShell() throws Exception {
    assertEquals(0, bloomery("verify words.bloom").exitCode());
    assertEquals(1, shell.run("echo '=' | eval \"$BLOOMERY check words.bloom\"").exitCode());
    assertEquals(2, bloomery("check").exitCode());
    assertEquals(2, bloomery("create -o words.bloom words.txt").exitCode());
    assertEquals(3, bloomery("check words.txt words.txt").exitCode());
    assertEquals(3, bloomery("verify words.txt").exitCode());
  }

  @Test
  void aReaderThatStopsEndsItQuietly() throws Exception {
    Shell.Answer answer =
        shell.run("{ eval \"$BLOOMERY check words.bloom words.txt\"; echo $? >code; } | head -n 1");
    assertEquals("", answer.err());
    assertEquals(1, answer.out().lines().count());
    assertEquals("141\n", Files.readString(folder.resolve("code")));
  }

  /** A limit on the size of files simulates a full disk: writing fails in the middle. */
  @Test
  void aDiskThatIsFullCostsNothing() throws Exception {
    Files.copy(folder.resolve("words.bloom"), folder.resolve("full.bloom"));
    byte[] before = Files.readAllBytes(folder.resolve("full.bloom"));
    String limited = "ulimit -f 100; OPTS=-XX:-UsePerfData; ";
    for (String arguments :
        new String[] {"add full.bloom absent.txt", "create -o never.bloom absent.txt"}) {
      Shell.Answer answer = shell.run("(" + limited + "eval \"$BLOOMERY " + arguments + "\")");
      assertEquals(ExitCode.BAD_FILE, answer.exitCode());
      assertTrue(
          answer.err().matches("bloomery: cannot save \\w+.bloom: .*; nothing was changed, .*\n"),
          answer.err());
    }
    assertArrayEquals(before, Files.readAllBytes(folder.resolve("full.bloom")));
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(
          files
              .map(Path::getFileName)
              .noneMatch(file -> file.toString().matches(".*(never|tmp).*")));
    }
    Shell.Answer output =
        shell.run("(" + limited + "eval \"$BLOOMERY check words.bloom words.txt\" >selected)");
    assertEquals(ExitCode.BAD_FILE, output.exitCode());
    assertTrue(output.err().matches("bloomery: cannot write the output: .*\n"), output.err());
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anAnswerComesBeforeTheNextQuestion() throws Exception {
    Process process = shell.start("eval \"$BLOOMERY check words.bloom\"");
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      for (String word : new String[] {PronounceableWords.at(0), PronounceableWords.at(77)}) {
        in.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
        assertEquals(word, out.readLine());
      }
    }
    assertEquals(0, process.waitFor());
  }

  @Test
  void aNamedPipeIsReadLikeAnyOther() throws Exception {
    Shell.Answer answer =
        shell.run(
            "mkfifo pipe && { head -n 500 words.txt >pipe & eval \"$BLOOMERY check -c words.bloom"
                + " pipe\"; }");
    assertEquals("500\n", answer.out(), answer.err());
  }

  @Test
  void progressIsShownOnATerminalOnly() throws Exception {
    Shell.Answer watched =
        shell.run("OPTS=-Dbloomery.terminal=true; eval \"$BLOOMERY add words.bloom words.txt\"");
    assertEquals(0, watched.exitCode(), watched.err());
    assertTrue(watched.err().contains("\r"), watched.err());
    assertTrue(watched.err().contains("lines"), watched.err());
    Shell.Answer unwatched = bloomery("add words.bloom words.txt");
    assertFalse(unwatched.err().contains("\r"), unwatched.err());
    assertEquals("", watched.out() + unwatched.out());
  }

  @Test
  void theDemoOfTheReadmeKeepsEveryPromise() throws Exception {
    Shell.Answer demo = bloomery("demo");
    assertEquals(0, demo.exitCode(), demo.out() + demo.err());
    assertTrue(demo.out().contains("Every promise was kept"), demo.out());
  }

  // The tests of the suite and of the variants check rules with more cases than these.
  @Test
  void theSuiteIsInTheJarAndHoldsOnThePlugInOfTheExamples() throws Exception {
    Path plugin = folder.resolve("acme-filter.jar");
    Plugin.jar(Plugin.compileExample(folder.resolve("acme")), plugin);
    Shell.Answer answer =
        bloomery("conformance --path acme-filter.jar --provider acme-power-of-two --tier smoke");
    assertEquals("", answer.err());
    assertEquals(0, answer.exitCode(), answer.out());
    assertTrue(
        answer
            .out()
            .matches(
                "acme-power-of-two: PASS (\\d\\d)/\\1 \\| 0 false negatives in [1-9][0-9,]{3,}"
                    + " checks .*, a lost update shows in \\d+ % \\| seed -?\\d+\n"),
        answer.out());
  }

  @Test
  void everyVariantInTheJarIsTestedBesideTheNewOnes() throws Exception {
    Plugin.compileExample(folder.resolve("classes"));
    Shell.Answer answer = bloomery("conformance --path classes --tier smoke --rule R02 --rule R04");
    assertEquals("", answer.err());
    assertEquals(
        List.of(
            "acme-blocked",
            "acme-power-of-two",
            "counting",
            "counting-fast",
            "partitioned",
            "scalable",
            "split-block",
            "standard"),
        answer.out().lines().map(line -> line.substring(0, line.indexOf(": PASS 2/2"))).toList());
    assertEquals(0, answer.exitCode());
  }

  @Test
  void aPlugInThatBreaksARuleOrCannotBeTestedFails() throws Exception {
    Files.createDirectories(folder.resolve("plug ins"));
    PluginVariant.writeJar(folder.resolve("plug ins/set.jar"), PluginVariant.class.getName());
    String broken = "conformance --path 'plug ins/set.jar' --provider set --rule R16";
    Shell.Answer answer = shell.run("eval \"$BLOOMERY " + broken + "\"");
    assertEquals(1, answer.exitCode(), answer.out());
    assertTrue(answer.out().startsWith("set: FAIL 0/1"), answer.out());
    List<String> lines = answer.out().lines().toList();
    String command = lines.get(lines.size() - 1).strip();
    assertTrue(
        command.startsWith("bloomery conformance --path 'plug ins/set.jar' --provider set"),
        command);
    Shell.Answer again = shell.run("bloomery() { eval \"$BLOOMERY\" '\"$@\"'; }; " + command);
    assertEquals(1, again.exitCode(), again.err());
    assertTrue(again.out().startsWith("set: FAIL 0/1"), again.out());
    PluginVariant.writeJar(folder.resolve("bad.jar"), "acme.Missing");
    Shell.Answer bad = bloomery("conformance --path bad.jar");
    assertEquals(2, bad.exitCode());
    assertTrue(
        bad.err()
            .matches(
                "bloomery: a variant cannot be loaded: .*acme.Missing not found; .* --path,.*\n"),
        bad.err());
    Shell.Answer none = bloomery("conformance --path '" + System.getProperty("bloomery.jar") + "'");
    assertEquals(3, none.exitCode(), none.err());
  }

  @Test
  void aPlugInThatEndsItsJvmHasNotPassed() throws Exception {
    String declaration =
        """
        class Quitter implements io.bloomery.filter.FilterProvider {
          private final io.bloomery.filter.FilterProvider whole =
              new io.bloomery.standard.StandardProvider();
          public String variant() { return "quitter"; }
          public Class<? extends io.bloomery.filter.Filter> filterType() {
            return whole.filterType();
          }
          public io.bloomery.filter.FilterPlan plan(io.bloomery.filter.FilterSpec spec) {
            return whole.plan(spec);
          }
          public io.bloomery.filter.Filter create(
              io.bloomery.filter.FilterSpec spec, io.bloomery.filter.ThreadMode mode,
              io.bloomery.filter.FilterLimits limits) {
            System.exit(0);
            return null;
          }
          public io.bloomery.filter.Filter read(
              io.bloomery.filter.FilterSpec spec, io.bloomery.filter.FilterLayout layout,
              io.bloomery.filter.PayloadInput in, io.bloomery.filter.ThreadMode mode,
              io.bloomery.filter.FilterLimits limits) {
            return null;
          }
        }
        """;
    Plugin.compile(folder.resolve("quitter"), "Quitter", declaration);
    Plugin.writeService(folder.resolve("quitter"), "acme.Quitter");
    Shell.Answer answer =
        bloomery("conformance --path quitter --provider quitter --rule R04 --rule R18 --rule R19");
    assertEquals(1, answer.exitCode(), answer.out() + answer.err());
    assertTrue(answer.out().startsWith("quitter: FAIL 1/3"), answer.out());
    assertTrue(answer.out().contains("ended with exit code 0"), answer.out());
  }

  @Test
  void theExampleOfACheckRunsOnTheJar() throws Exception {
    Path source =
        Path.of("..", "examples/src/main/java/io/bloomery/examples/ConformanceCheck.java");
    Shell.Answer answer =
        shell.run(
            Shell.java()
                + " -Dbloomery.conformance.tier=smoke -cp '"
                + System.getProperty("bloomery.jar")
                + "' '"
                + source.toAbsolutePath()
                + "' standard");
    assertEquals("", answer.err());
    assertTrue(answer.out().startsWith("standard: PASS "), answer.out());
    assertEquals(0, answer.exitCode());
  }

  @Test
  void theJarIsOneProgramWithAllItNeeds() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("bloomery.jar"))) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("io.bloomery.cli.Main", manifest.getValue(Attributes.Name.MAIN_CLASS));
      assertEquals("true", manifest.getValue(Attributes.Name.MULTI_RELEASE));
      assertTrue(jar.stream().noneMatch(entry -> entry.getName().endsWith("module-info.class")));
      assertTrue(jar.stream().noneMatch(entry -> entry.getName().matches(".*\\.(SF|DSA|RSA)")));
      assertTrue(jar.getEntry("META-INF/LICENSE") != null);
      assertTrue(jar.getEntry("META-INF/LICENSE-EPL-2.0.md") != null);
    }
  }
}
