package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.input.LineReader;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.VisibleText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {

  private static final String LINES = "yes\nno\r\n\n\u00ff\u0000\u0080\r\nyes\r\nnever";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    String keys = "yes\n\n\u00ff\u0000\u0080\n";
    // A rate at which none of the few absent lines below is a false positive.
    Run.piped(keys, "create -o %s --expected 100 --fpp 1e-9", file);
  }

  @Test
  void linesThatMayBeContainedArePrintedAsTheBytesTheyAre() {
    Run run = Run.withInput(LINES, "check", file);
    assertEquals("yes\n\n\u00ff\u0000\u0080\r\nyes\r\n", run.out());
    run.assertEnds(ExitCode.OK);
    assertEquals("", run.err());
  }

  @Test
  void linesThatAreCertainlyAbsentArePrintedOnRequest() {
    Run run = Run.withInput(LINES, "check", "-v", file);
    assertEquals("no\r\nnever\n", run.out());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void whatIsPrintedOfALineIsTheLineAsItCame() {
    Random random = new Random(1);
    List<String> all = List.of("yes", "\u00ff\u0000\u0080", "no", "n".repeat(LineReader.BUFFER));
    for (int trial = 0; trial < 60; trial++) {
      StringBuilder text = new StringBuilder();
      StringBuilder present = new StringBuilder();
      StringBuilder absent = new StringBuilder();
      int count = random.nextInt(9);
      for (int i = 0; i < count; i++) {
        int which = random.nextInt(all.size());
        boolean isOpen = i == count - 1 && random.nextBoolean();
        String end = isOpen ? "" : random.nextBoolean() ? "\n" : "\r\n";
        text.append(all.get(which)).append(end);
        // As grep does, an end is added to a last line that has none.
        (which < 2 ? present : absent).append(all.get(which)).append(isOpen ? "\n" : end);
      }
      String lines = text.toString();
      assertEquals(present.toString(), Run.withInput(lines, "check", file).out(), lines);
      assertEquals(absent.toString(), Run.withInput(lines, "check", "-v", file).out(), lines);
      for (String kind : List.of("--csv", "--tsv")) {
        assertEquals(
            "c\r\n" + present,
            Run.withInput("c\r\n" + lines, "check", kind, "c", file).out(),
            lines);
      }
      assertEquals("c\n", Run.withInput("c", "check", "--csv", "c", file).out());
    }
  }

  @Test
  void onlyTheirNumberIsPrintedOnRequest() {
    assertEquals("4\n", Run.withInput(LINES, "check", "-c", file).out());
    assertEquals("2\n", Run.withInput(LINES, "check", "-vc", file).out());
    Run none = Run.withInput("no\n", "check", "-c", file);
    assertEquals("0\n", none.out());
    none.assertEnds(ExitCode.NONE);
  }

  @Test
  void noLineSelectedIsExitCodeOne() {
    Run.withInput("no\n", "check", file).assertEnds(ExitCode.NONE);
    Run.withInput("yes\n", "check", "-v", file).assertEnds(ExitCode.NONE);
    Run.withInput("", "check", file).assertEnds(ExitCode.NONE);
  }

  @Test
  void inputsAreReadInTheOrderNamed() throws IOException {
    Path one = Files.writeString(folder.resolve("one"), "yes");
    Path two = Files.writeString(folder.resolve("two"), "no\nyes\n");
    Run run = Run.piped("\n", "check %s %s - %s", file, two, one);
    assertEquals("yes\n\nyes\n", run.out());
  }

  @Test
  void aNamedPipeIsReadLikeAnyOther() throws Exception {
    Shell shell = new Shell(folder);
    shell.run("mkfifo pipe").assertEnds(0);
    Process writer = shell.start("printf 'yes\\nno\\n' >pipe");
    assertEquals("yes\n", Run.of("check", file, folder.resolve("pipe")).out());
    assertEquals(0, writer.waitFor());
  }

  @Test
  void whatIsSelectedIsWrittenBeforeMoreInputIsAwaited() {
    StringBuilder events = new StringBuilder();
    InputStream slow =
        new InputStream() {
          private final String[] parts = {"yes\n", "no\n", "yes\n"};
          private int next;

          @Override
          public int read() {
            throw new AssertionError("single bytes must not be read");
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            events.append("<");
            if (next == parts.length) {
              return -1;
            }
            byte[] part = parts[next++].getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(part, 0, bytes, from, part.length);
            return part.length;
          }
        };
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            events.append((char) b);
          }

          @Override
          public void flush() {
            events.append("!");
          }
        };
    Run.into(out, slow, Bloomery::installed, "check", file);
    assertEquals("<yes\n!<!<yes\n!<", events.toString().replaceAll("!+$", ""));
  }

  @Test
  void anOutputThatNobodyReadsEndsQuietly() {
    Run run = intoFailing("Broken pipe").assertEnds(ExitCode.BROKEN_PIPE);
    assertEquals("", run.err());
  }

  @Test
  void anOutputThatIsFullIsSaidOnce() {
    Run.assertFails(
        ExitCode.BAD_FILE,
        "cannot write the output: No space left on device; make room",
        intoFailing("No space left on device"));
  }

  @Test
  void anOutputThatIsClosedNeedsNoRoom() {
    Run.assertFails(
        ExitCode.BAD_FILE,
        "cannot write the output: Bad file descriptor; send it to another file or pipe",
        intoFailing("Bad file descriptor"));
  }

  private Run intoFailing(String reason) {
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(reason);
          }

          @Override
          public void flush() throws IOException {
            throw new IOException(reason);
          }
        };
    InputStream in = new ByteArrayInputStream("yes\n".getBytes(StandardCharsets.US_ASCII));
    return Run.into(failing, in, Bloomery::installed, "check", file);
  }

  @Test
  void linesOfSeveralFiltersAreToldWithTheirFilters() throws IOException {
    Path other = folder.resolve("other.bloom");
    Run.piped("yes\nno\n", "create -o %s --variant blocked --expected 9 --fpp 1e-6", other);
    Path empty = folder.resolve("empty.bloom");
    Run.piped("", "create -o %s --expected 9 --fpp 1e-9", empty);
    Object[] all = {"check", "--also", empty, "--also", other, file};
    String lines = "yes\nnever\nno\n";
    assertEquals("yes\nno\n", Run.withInput(lines, all).out());
    assertEquals("never\n", Run.withInput(lines, with(all, "-v")).out());
    assertEquals("2\n", Run.withInput(lines, with(all, "-c")).out());
    Map<String, Object> counts = Run.withInput(lines, with(with(all, "-c"), "--json")).json();
    assertEquals(List.of(empty.toString(), other.toString()), counts.get("also"));
    assertEquals(
        file + "\tyes\n" + other + "\tyes\n" + other + "\tno\n",
        Run.withInput(lines, with(all, "--which")).out());
    String json = Run.withInput(lines, with(all, "--json")).out();
    assertEquals(2, json.lines().count());
    assertTrue(json.startsWith("{\"filters\":[\"" + file + "\",\"" + other + "\"],"), json);
  }

  private static Object[] with(Object[] command, String option) {
    return Stream.concat(Stream.of(command[0], option), Stream.of(command).skip(1)).toArray();
  }

  @Test
  void whatCannotBeAskedTogetherIsRefused() {
    Path folded = folder.resolve("folded.bloom");
    Run.piped("a\n", "create -o %s --ignore-case", folded);
    Run.withInput("yes\n", "check", "--also", folded, file)
        .assertEnds(ExitCode.USAGE, "must have one key form, but " + file + " has 'plain'");
    Run.withInput("yes\n", "check", "--also", "-", file)
        .assertEnds(ExitCode.USAGE, "only one of FILE, --also and INPUT");
    for (String options : List.of("--which", "--which -v --also x", "--which -c --also x")) {
      Run.withInput("yes\n", (Object[]) ("check " + options + " " + file).split(" ", -1))
          .assertEnds(ExitCode.USAGE, "--which must be given with --also, and without");
    }
  }

  @Test
  void filtersOfKeysInOtherPlacesAreAskedTogetherIfOptionsSayWhereKeysAre() {
    Path table = folder.resolve("table.bloom");
    Run.piped("id,email\n1,yes\n", "create -o %s --csv email", table);
    Path number = folder.resolve("number.bloom");
    Run.piped("id,email\n1,yes\n", "create -o %s --csv 2", number);
    for (List<Path> pair :
        List.of(List.of(file, table), List.of(table, file), List.of(table, number))) {
      Run.piped("id,email\n7,yes\n", "check --also %s %s", pair.toArray())
          .assertEnds(ExitCode.USAGE, "must have one place where keys are, but");
      Run said = Run.piped("id,email\n7,yes\n", "check --csv email --also %s %s", pair.toArray());
      assertEquals("id,email\n7,yes\n", said.out());
    }
  }

  @Test
  void namesOfFiltersAreOneColumn() {
    Path odd = folder.resolve("a\tb\nc");
    Run.withInput("yes\n", "create", "-o", odd, "--expected", "9", "--fpp", "1e-6");
    assertEquals(
        VisibleText.line(odd.toString()) + "\tyes\n" + file + "\tyes\n",
        Run.withInput("yes\n", "check", "--which", "--also", file, odd).out());
  }
}
