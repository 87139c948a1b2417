package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

class BaselineCommandTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(
        Stream.concat(Stream.of("before"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  @Test
  @Tag("nightly")
  void thisBuildIsComparedWithItself() {
    int exit =
        run(ROOT.toString(), "--n=1e3", "--operations=hit", "--subjects=standard", "--rounds=3");
    String[] lines = out.toString().split("\n", -1);
    assertTrue(lines[2].startsWith("| 10^3 | hit | standard | "), out.toString());
    // Which of two equal ones is faster depends on what else the machine does.
    int slower = lines[2].contains("**slower**") ? 1 : 0;
    assertEquals(slower + " slower than before", lines[4]);
    assertEquals(slower == 0 ? ExitCode.OK : ExitCode.SOFTWARE, exit);
  }

  @Test
  void aFolderWithoutABuildIsRefused(@TempDir Path folder) {
    assertEquals(ExitCode.USAGE, run(folder.toString(), "--subjects=standard"));
    assertTrue(
        err.toString().contains("the other build must be compiled, but has no "), err.toString());
    assertEquals(ExitCode.SOFTWARE, run(folder.resolve("none").toString()));
    assertTrue(err.toString().contains("cannot find "), err.toString());
  }
}
