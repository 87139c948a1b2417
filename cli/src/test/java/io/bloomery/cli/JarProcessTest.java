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
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the finished jar as a process: a word list of 100,000 lines, pipes and exit codes. */
class JarProcessTest {

  private static final int WORDS = 100_000;

  @TempDir private static Path folder;
  private static Shell shell;

  @BeforeAll
  static void createAFilterOfManyWords() throws Exception {
    shell = new Shell(folder).with("BLOOMERY", Shell.jar());
    PronounceableWords.write(folder.resolve("words.txt"), 0, WORDS);
    PronounceableWords.write(folder.resolve("absent.txt"), WORDS, 2 * WORDS);
    Run created = bloomery("create -o words.bloom words.txt").assertEnds(0);
    assertTrue(
        created
            .err()
            .matches("bloomery: words.bloom: 100,000 lines added, at least 9\\d,\\d{3} new\n"),
        created.err());
  }

  private static Run bloomery(String arguments) throws Exception {
    return shell.run("eval \"$BLOOMERY " + arguments + "\"");
  }

  @Test
  void noneOfManyWordsIsMissing() throws Exception {
    assertEquals("100000\n", bloomery("check -c words.bloom words.txt").out());
    Run missing = bloomery("check -v words.bloom words.txt");
    assertEquals("", missing.out());
    missing.assertEnds(ExitCode.NONE);
  }

  /** Exact tests at 1e-6 each; the words are fixed, so that every run has the same result. */
  @Test
  void falsePositivesAreAsRareAsAskedAndAsStated() throws Exception {
    int hits = Integer.parseInt(bloomery("check -c words.bloom absent.txt").out().strip());
    ExactRate measured = new ExactRate(hits, WORDS);
    assertFalse(measured.isAbove(0.01), hits + " of " + WORDS);
    Map<String, Object> info = bloomery("info --json words.bloom").json();
    double stated = (double) info.get("estimatedRate");
    assertTrue(measured.high() >= 0.9 * stated, measured + " is too low for " + stated);
    assertTrue(measured.low() <= 1.1 * stated, measured + " is too high for " + stated);
  }

  @Test
  void pipesWorkFromEndToEnd() throws Exception {
    Run answer =
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
    shell
        .run(
            "cat words.txt | eval \"$BLOOMERY create -o grown.bloom\""
                + " && eval \"$BLOOMERY create -o same.bloom\" <words.txt && cmp grown.bloom"
                + " same.bloom")
        .assertEnds(0);
    assertEquals("100000\n", bloomery("check -c grown.bloom words.txt").out());
    int hits = Integer.parseInt(bloomery("check -c grown.bloom absent.txt").out().strip());
    assertFalse(new ExactRate(hits, WORDS).isAbove(0.01), hits + " of " + WORDS);
  }

  @Test
  void removedLinesAreGoneAndTheOthersAreNot() throws Exception {
    shell.run("head -n 1000 words.txt >some.txt && tail -n 1000 words.txt >others.txt");
    bloomery("create --variant counting -o counted.bloom some.txt others.txt");
    bloomery("remove counted.bloom some.txt").assertEnds(0);
    assertEquals("1000\n", bloomery("check -c counted.bloom others.txt").out());
    bloomery("remove counted.bloom some.txt").assertEnds(1);
  }

  /** A limit on the size of files simulates a full disk: writing fails in the middle. */
  @Test
  void aDiskThatIsFullCostsNothing() throws Exception {
    Files.copy(folder.resolve("words.bloom"), folder.resolve("full.bloom"));
    byte[] before = Files.readAllBytes(folder.resolve("full.bloom"));
    String limited = "ulimit -f 100; OPTS=-XX:-UsePerfData; ";
    for (String arguments :
        new String[] {"add full.bloom absent.txt", "create -o never.bloom absent.txt"}) {
      Run answer =
          shell
              .run("(" + limited + "eval \"$BLOOMERY " + arguments + "\")")
              .assertEnds(ExitCode.BAD_FILE);
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
    Run output =
        shell
            .run("(" + limited + "eval \"$BLOOMERY check words.bloom words.txt\" >selected)")
            .assertEnds(ExitCode.BAD_FILE);
    assertTrue(output.err().matches("bloomery: cannot write the output: .*\n"), output.err());
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
    Run answer =
        shell.run(
            "mkfifo pipe && { head -n 500 words.txt >pipe & eval \"$BLOOMERY check -c words.bloom"
                + " pipe\"; }");
    assertEquals("500\n", answer.out(), answer.err());
  }

  @Test
  void progressIsShownOnATerminalOnly() throws Exception {
    Run watched =
        shell
            .run("OPTS=-Dbloomery.terminal=true; eval \"$BLOOMERY add words.bloom words.txt\"")
            .assertEnds(0, "\r", "lines");
    Run unwatched = bloomery("add words.bloom words.txt");
    assertFalse(unwatched.err().contains("\r"), unwatched.err());
    assertEquals("", watched.out() + unwatched.out());
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
