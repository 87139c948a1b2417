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
    Run.of("create", "-o", filter, lines).assertEnds(0);
  }

  private static byte[] bytes(String out) {
    return out.getBytes(StandardCharsets.ISO_8859_1);
  }

  private String filterAsInput() throws IOException {
    return Files.readString(filter, StandardCharsets.ISO_8859_1);
  }

  @Test
  void createWritesAFilterToTheStandardOutput() throws IOException {
    Run run = Run.of("create", "-o", "-", lines).assertEnds(0);
    assertArrayEquals(Files.readAllBytes(filter), bytes(run.out()));
    assertTrue(run.err().startsWith("bloomery: the standard output: 2 lines added"), run::err);
  }

  @Test
  void mergeWritesAFilterToTheStandardOutput() throws IOException {
    Run run = Run.command("merge -o - %s %s", filter, filter).assertEnds(0);
    assertArrayEquals(Files.readAllBytes(filter), bytes(run.out()));
  }

  @Test
  void checkAndInfoReadAFilterFromTheStandardInput() throws IOException {
    Path asked = Files.writeString(folder.resolve("asked"), "two\nthree\n");
    Run check = Run.withInput(filterAsInput(), "check", "-", asked);
    assertEquals(new Run(0, "two\n", ""), check);
    Run info = Run.withInput(filterAsInput(), "info", "-").assertEnds(0);
    assertTrue(info.out().startsWith("the standard input\n  variant"), info::out);
    Run ofFile = Run.of("info", filter);
    assertEquals(ofFile.out().replace(filter.toString(), "the standard input"), info.out());
  }

  @Test
  void aDamagedOrLongerStreamIsNoFilter() throws IOException {
    String damaged = filterAsInput().replaceFirst("BLOOMERY", "bloomery");
    Run.withInput(damaged, "info", "-").assertEnds(ExitCode.BAD_FILE);
    Run.withInput(filterAsInput() + "x", "info", "-")
        .assertEnds(ExitCode.BAD_FILE, "but more bytes follow");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"check -", "check - -", "add - lines", "remove - lines", "create -o - --json x"})
  void whatAStreamCannotBeIsAUsageError(String command) throws IOException {
    List<String> arguments = List.of(command.replace("x", lines.toString()).split(" "));
    Run run = Run.withInput(filterAsInput(), arguments.toArray()).assertEnds(ExitCode.USAGE);
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
    run.assertEnds(ExitCode.USAGE, "must be a regular file to be replaced");
    assertFalse(Files.isRegularFile(pipe));
    assertTrue(Files.exists(pipe));
  }
}
