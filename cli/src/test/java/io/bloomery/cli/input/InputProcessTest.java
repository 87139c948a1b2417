package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the finished jar on tables, gzip, long lines, and many lines. */
class InputProcessTest {

  @TempDir private static Path shared;
  @TempDir private Path folder;
  private Shell shell;

  @BeforeAll
  static void createAFilterOfNumbers() throws Exception {
    Run created =
        new Shell(shared).run("seq 1000 | " + Shell.jar() + " create -q --fpp 1e-9 -o n.bloom");
    created.assertEnds(0);
  }

  @BeforeEach
  void makeShell() {
    shell = new Shell(folder);
  }

  private Run run(String line) throws Exception {
    return shell.runWithJar(line);
  }

  @Test
  void whatGzipWritesInPiecesIsReadAsOne() throws Exception {
    Run answer =
        run(
            "{ seq 1 1000 | gzip; sleep 0.2; seq 1001 2000 | gzip -9; } | bloomery create -q -o"
                + " n.bloom --fpp 1e-9 && seq 500 2500 | gzip | bloomery check n.bloom | cksum &&"
                + " seq 500 2000 | cksum");
    List<String> sums = answer.out().lines().toList();
    assertEquals(2, sums.size(), answer.err());
    assertEquals(sums.get(1), sums.get(0), answer.err());
    Run cut =
        run("seq 1 10000 | gzip | head -c 9000 | bloomery check n.bloom >some; exit $?")
            .assertEnds(ExitCode.BAD_FILE);
    assertEquals(
        "bloomery: the standard input: is gzip that ends too early, after 9000 bytes; get the"
            + " whole of it again\n",
        cut.err());
  }

  @Test
  void aTableGoesInAndComesOutAsATable() throws Exception {
    Files.writeString(
        folder.resolve("users.csv"),
        "id,\"full name\",note\r\n"
            + "1,\"Lovelace, Ada\",\"says \"\"hi\"\"\"\r\n"
            + "2,Max,\"two\r\n"
            + "lines\"\r\n"
            + "3,\"Gr\u00fcn, Eva\",\r\n");
    Run answer =
        run(
            "printf 'LOVELACE, ADA\\n"
                + "GR\u00dcN, EVA\\n"
                + "' | bloomery create -q --ignore-case --expected 9 --fpp 1e-9 -o u.bloom && gzip"
                + " -k users.csv && bloomery check -v --ignore-case --csv 'full name' u.bloom"
                + " users.csv.gz");
    assertEquals("", answer.err());
    assertEquals("id,\"full name\",note\r\n2,Max,\"two\r\nlines\"\r\n", answer.out());
    answer.assertEnds(0);
  }

  @Test
  void namesOfFilesComeFromFindWithNuls() throws Exception {
    Files.createDirectory(folder.resolve("d"));
    Files.createFile(folder.resolve("d/two\nlines"));
    Files.createFile(folder.resolve("d/plain"));
    Run answer =
        run(
            "find d -type f -print0 | bloomery create -q -0 --expected 9 --fpp 1e-9 -o f.bloom &&"
                + " touch d/new && find d -type f -print0 | bloomery check -0 -v f.bloom | tr"
                + " '\\0' '|'");
    assertEquals("d/new|", answer.out(), answer.err());
  }

  @Test
  void aLineOfAHundredMegabytesTakesItsOwnSize() throws Exception {
    Run answer =
        run(
            "{ head -c 100000000 /dev/zero | tr '\\0' x; printf '\\n"
                + "short\\n"
                + "'; } >long && OPTS=-Xmx192m && bloomery create -q --max-line 100MB --fpp 1e-9 -o"
                + " l.bloom long && bloomery check --max-line 100MB l.bloom <long | cmp - long");
    assertEquals("", answer.out() + answer.err());
    answer.assertEnds(0);
    Run tooLong =
        run("OPTS=-Xmx64m; bloomery check --max-line 1GB l.bloom long")
            .assertEnds(ExitCode.BAD_FILE);
    assertEquals(
        "bloomery: there is not enough memory; give Java more, as in JAVA_OPTS=-Xmx4g bloomery"
            + " ...\n",
        tooLong.err());
    Run unclosed =
        run("OPTS=-Xmx64m; { printf 'a\\nb,\"'; cat long; } | bloomery check --max-line 1GB --csv 1"
                + " l.bloom")
            .assertEnds(ExitCode.BAD_FILE);
    assertTrue(
        unclosed
            .err()
            .matches(
                "bloomery: the standard input: line 2: a record begins that does not fit .*\n"),
        unclosed.err());
  }

  /** The heap has room for only a few lines of the maximum length. */
  @Test
  void gzipOfALineThatNeverEndsTakesNoMoreThanALineMay() throws Exception {
    Run answer =
        run(
            "head -c 100000000 /dev/zero | gzip -1 >bomb && OPTS=-Xmx160m && bloomery create -o"
                + " b.bloom bomb");
    assertEquals(
        "bloomery: bomb: line 1: a line must have at most 67108864 bytes, but has more; see where"
            + " its end is missing, or allow more by --max-line\n",
        answer.err());
    answer.assertEnds(ExitCode.BAD_FILE);
  }

  @Test
  void hashesOfManyLinesAreInATemporaryFile() throws Exception {
    Run answer =
        run(
            "mkdir t && seq 500000 | bloomery create -q --variant fuse -o g.bloom && OPTS=-Xmx28m;"
                + " seq 500000 | bloomery create -q --variant fuse --temporary-directory t -o"
                + " f.bloom && cmp f.bloom g.bloom && ls t && chmod 0 t && seq 500000 | bloomery"
                + " create --variant fuse --temporary-directory t -o h.bloom");
    assertEquals("", answer.out());
    assertTrue(
        answer.exitCode() == 0 // who may write anywhere
            || answer.err().matches(".*t: the temporary file .* as in --temporary-directory .*\n"),
        answer.err());
  }

  @Test
  void manyLinesNeedNoMoreMemoryThanFew() throws Exception {
    Run answer =
        run(
            "OPTS=-Xmx24m; seq 1000 | bloomery create -q --fpp 1e-9 -o n.bloom && seq 4000000 |"
                + " bloomery check -c n.bloom");
    assertEquals("1000\n", answer.out(), answer.err());
  }
}
