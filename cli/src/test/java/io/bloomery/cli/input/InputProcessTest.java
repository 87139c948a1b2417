package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the finished jar on long lines, and on many, in a small heap. */
class InputProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void makeShell() {
    shell = new Shell(folder);
  }

  private Run run(String line) throws Exception {
    return shell.runWithJar(line);
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
    Run.assertFails(
        ExitCode.BAD_FILE,
        "there is not enough memory; give Java more, as in JAVA_OPTS=-Xmx4g bloomery" + " ...",
        run("OPTS=-Xmx64m; bloomery check --max-line 1GB l.bloom long"));
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
