package io.bloomery.cli;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Terminal;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterProvider;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the output of commands for programs, for people and when quiet. */
class OutputTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    Run.piped("a\nb\n\u00ff\n", "create --expected=9 --fpp=1e-9 -o %s", file);
  }

  private static Map<String, Object> only(Run run) throws IOException {
    List<Map<String, Object>> objects = JsonObjects.parse(run.out());
    assertEquals(1, objects.size(), run.out());
    return objects.get(0);
  }

  @Test
  void createAndAddSayInJsonWhatWasPut() throws IOException {
    Run made = Run.piped("a\nb\na\n", "create --json --force --expected=9 -o %s", file);
    assertEquals("", made.err());
    Map<String, Object> object = only(made);
    assertEquals(file.toString(), object.get("file"));
    assertEquals("standard", object.get("variant"));
    assertEquals(3.0, object.get("lines"));
    assertEquals(2.0, object.get("new"));
    assertEquals(9.0, object.get("expectedKeys"));
    assertEquals(0.01, object.get("targetRate"));
    assertEquals((double) Files.size(file), object.get("sizeInBytes"));
    Map<String, Object> added = only(Run.withInput("b\nc\n", "add", "--json", file));
    assertEquals(2.0, added.get("lines"));
    assertEquals(1.0, added.get("new"));
  }

  @Test
  void removeSaysInJsonWhatWasThere() throws IOException {
    Run.piped("a\nb\n", "create --variant=counting --force --expected=9 -o %s", file);
    Run run = Run.withInput("b\nx\n", "remove", "--json", file).assertEnds(ExitCode.NONE);
    assertTrue(run.err().startsWith("bloomery: warning: " + file + ": the input has "), run.err());
    assertEquals(1, run.err().lines().count(), "the rest is JSON");
    Map<String, Object> object = only(run);
    double expectedWrong = (double) object.remove("expectedWrong");
    assertTrue(expectedWrong > 0 && expectedWrong < 0.01, expectedWrong + "");
    assertEquals(
        Map.of(
            "file",
            file.toString(),
            "lines",
            2.0,
            "removed",
            1.0,
            "absent",
            1.0,
            "repeated",
            0.0,
            "dryRun",
            false),
        object);
  }

  @Test
  void checkSaysInJsonWhichLinesItSelects() throws IOException {
    Run run = Run.withInput("x\na\n\u00ff\r\n\"\n", "check", "--json", file);
    assertEquals(
        """
        {"input":"the standard input","line":2,"text":"a"}
        {"input":"the standard input","line":3,"text":{"base64":"/w=="}}
        """,
        run.out());
    Path table = Files.writeString(folder.resolve("t.csv"), "id,k\n1, A\n2,\"b\"\n");
    Run.piped("b", "create --trim --force --expected=9 --fpp=1e-9 -o %s", file);
    Run columns = Run.command("check --json -v --csv=k %s %s", file, table);
    assertEquals(
        "{\"input\":\"" + table + "\",\"line\":2,\"text\":\"1, A\",\"key\":\"A\"}\n",
        columns.out());
    Run.withInput("x", "check", "--json", file).assertEnds(ExitCode.NONE);
    assertEquals("", Run.withInput("x", "check", "--json", file).out());
  }

  @Test
  void checkSaysInJsonHowManyLinesItSelects() throws IOException {
    Run run = Run.piped("x\na\nb\n", "check --json -c %s", file);
    assertEquals(Map.of("file", file.toString(), "lines", 3.0, "selected", 2.0), only(run));
  }

  @Test
  void whatCameBeforeAnErrorIsShown() {
    InputStream in =
        new FilterInputStream(CutCable.after("a\nx\n")) {
          @Override
          public int available() {
            // Otherwise the output so far would appear before the command waits for more.
            return 1;
          }
        };
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Run.into(new BufferedOutputStream(out), in, Bloomery::installed, "check", file)
        .assertEnds(ExitCode.BAD_FILE);
    assertEquals("a\n", out.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void whoWantsQuietHearsErrorsOnly() {
    for (String option : new String[] {"-q", "--quiet"}) {
      Run added = Run.withInput("c\n", "add", option, file);
      assertEquals("", added.out() + added.err());
      Run full = Run.withInput("1\n2\n3\n".repeat(3), "add", file, option);
      assertEquals("", full.out() + full.err());
      Run failed = Run.of(option, "add", folder.resolve("nowhere")).assertEnds(ExitCode.BAD_FILE);
      assertEquals(1, failed.err().lines().count());
    }
  }

  @Test
  void aQuietCheckStopsAtTheFirstLineItSelects() {
    // Reading on would fail.
    Run found = Run.reading(CutCable.after("x\na\n"), "check", "-q", file);
    assertEquals("", found.out() + found.err());
    found.assertEnds(ExitCode.OK);
    Run none = Run.withInput("x\n", "check", "-q", file);
    assertEquals("", none.out() + none.err());
    none.assertEnds(ExitCode.NONE);
  }

  @Test
  void aStackTraceComesOnRequestOnly() {
    Path missing = folder.resolve("missing");
    Run plain = Run.of("info", missing);
    assertEquals(1, plain.err().lines().count(), plain.err());
    for (Run run :
        List.of(Run.of("info", "--debug", missing), Run.of("--debug", "info", missing))) {
      assertTrue(run.err().startsWith(plain.err()), run.err());
      assertTrue(run.err().contains("java.nio.file.NoSuchFileException"), run.err());
      assertTrue(run.err().contains("\n\tat io.bloomery."), run.err());
      assertEquals(plain.exitCode(), run.exitCode());
    }
  }

  private static String said(Terminal terminal, Object... arguments) {
    return Run.watched(terminal, Bloomery.installed(), arguments).err();
  }

  @Test
  void coloursAreForATerminalThatShowsThem() {
    Path missing = folder.resolve("missing");
    String coloured = said(new Terminal(false, true, true), "info", missing);
    assertTrue(coloured.startsWith("\u001b[1;31mbloomery:\u001b[0m " + missing), coloured);
    String plain = said(new Terminal(false, true, false), "info", missing);
    assertTrue(plain.startsWith("bloomery: " + missing), plain);
    System.setProperty("bloomery.terminal", "true");
    try {
      assertTrue(Terminal.of(Map.of()).colours());
      assertTrue(Terminal.of(Map.of("NO_COLOR", "")).colours());
      assertFalse(Terminal.of(Map.of("NO_COLOR", "0")).colours());
      assertFalse(Terminal.of(Map.of("TERM", "dumb")).colours());
    } finally {
      System.clearProperty("bloomery.terminal");
    }
    assertFalse(Terminal.of(Map.of()).colours());
  }

  @Test
  void progressIsShownToWhoWatchesAndWantsIt() throws IOException {
    Path words = Files.writeString(folder.resolve("words"), "a\nb\n");
    Terminal watched = new Terminal(true, true, false);
    assertTrue(said(watched, "check", "-c", file, words).contains("2 lines"));
    assertEquals("", said(watched, "check", "-c", "-q", file, words));
    assertEquals("", said(Terminal.NONE, "check", "-c", file, words));
    assertEquals("", said(watched, "check", file, words), "lines would run into it");
  }

  @Test
  void noTimeIsGivenForTheRestBeforeItCanBeKnown() throws IOException {
    Path words = Files.writeString(folder.resolve("words"), "a\nb\n");
    String shown = said(new Terminal(true, true, false), "check", "-c", file, words);
    assertTrue(shown.contains("(0:00:00 / ?)"), shown);
    assertFalse(shown.contains(" / 0:"), shown);
  }

  @Test
  void whatIsTriedOrTestedIsShownWithHowFarThatIs() throws IOException {
    Terminal watched = new Terminal(true, true, false);
    List<String> variants = List.of(DefaultVariants.REMOVABLE, DefaultVariants.GROWING);
    Bloomery two =
        Bloomery.with(
            variants.stream()
                .map(Bloomery.installed().providers()::get)
                .toArray(FilterProvider[]::new));
    Path words = Files.writeString(folder.resolve("words"), lines(0, 2_000));
    for (Object[] arguments :
        new Object[][] {
          {"demo", "--keys", words},
          {"compare", words},
          {
            "conformance",
            "--tier=smoke",
            "--rule=R04",
            "--provider=" + DefaultVariants.REMOVABLE,
            "--provider=" + DefaultVariants.GROWING
          }
        }) {
      String shown = Run.watched(watched, two, arguments).err();
      for (int i = 0; i < variants.size(); i++) {
        String what = (arguments[0].equals("conformance") ? "testing " : "trying ");
        String step = what + variants.get(i) + ", " + (i + 1) + " of " + variants.size() + ", ";
        assertTrue(shown.contains("\r" + step), VisibleText.line(shown));
      }
      assertTrue(shown.endsWith("\r"), "the line is clear: " + VisibleText.line(shown));
    }
  }
}
