package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks filters read from the standard input, or written to the standard output. */
class StandardStreamsTest {

  @TempDir private Path folder;
  private Path lines;
  private Path filter;

  @BeforeEach
  void create() throws IOException {
    lines = Files.writeString(folder.resolve("lines"), "one\ntwo\n");
    filter = folder.resolve("seen.bloom");
    assertEquals(0, Run.of("create", "-o", filter, lines).exitCode());
  }

  private static byte[] bytes(String out) {
    return out.getBytes(StandardCharsets.ISO_8859_1);
  }

  private String filterAsInput() throws IOException {
    return Files.readString(filter, StandardCharsets.ISO_8859_1);
  }

  @Test
  void createWritesAFilterToTheStandardOutput() throws IOException {
    Run run = Run.of("create", "-o", "-", lines);
    assertEquals(0, run.exitCode());
    assertArrayEquals(Files.readAllBytes(filter), bytes(run.out()));
    assertTrue(run.err().startsWith("bloomery: the standard output: 2 lines added"), run::err);
  }

  @Test
  void mergeWritesAFilterToTheStandardOutput() throws IOException {
    Run run = Run.command("merge -o - %s %s", filter, filter);
    assertEquals(0, run.exitCode(), run::err);
    assertArrayEquals(Files.readAllBytes(filter), bytes(run.out()));
  }

  @Test
  void checkAndInfoReadAFilterFromTheStandardInput() throws IOException {
    Path asked = Files.writeString(folder.resolve("asked"), "two\nthree\n");
    Run check = Run.withInput(filterAsInput(), "check", "-", asked);
    assertEquals(new Run(0, "two\n", ""), check);
    Run info = Run.withInput(filterAsInput(), "info", "-");
    assertEquals(0, info.exitCode());
    assertTrue(info.out().startsWith("the standard input\n  variant"), info::out);
    Run ofFile = Run.of("info", filter);
    assertEquals(ofFile.out().replace(filter.toString(), "the standard input"), info.out());
  }

  @Test
  void aDamagedOrLongerStreamIsNoFilter() throws IOException {
    String damaged = filterAsInput().replaceFirst("BLOOMERY", "bloomery");
    assertEquals(ExitCode.BAD_FILE, Run.withInput(damaged, "info", "-").exitCode());
    Run longer = Run.withInput(filterAsInput() + "x", "info", "-");
    assertEquals(ExitCode.BAD_FILE, longer.exitCode());
    assertTrue(longer.err().contains("but more bytes follow"), longer::err);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"check -", "check - -", "add - lines", "remove - lines", "create -o - --json x"})
  void whatAStreamCannotBeIsAUsageError(String command) throws IOException {
    List<String> arguments = List.of(command.replace("x", lines.toString()).split(" "));
    Run run = Run.withInput(filterAsInput(), arguments.toArray());
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run::err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "merge", "plot"})
  void aPipeIsNotReplacedByAFile(String command) throws Exception {
    Path pipe = folder.resolve("pipe.png");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Run run =
        command.equals("plot")
            ? Run.command("plot --keys 1000 --force -o %s", pipe)
            : Run.command(
                "%s --force -o %s %s", command, pipe, command.equals("merge") ? filter : lines);
    assertEquals(ExitCode.USAGE, run.exitCode(), run::err);
    assertTrue(run.err().contains("must be a regular file to be replaced"), run::err);
    assertFalse(Files.isRegularFile(pipe));
    assertTrue(Files.exists(pipe));
  }
}
