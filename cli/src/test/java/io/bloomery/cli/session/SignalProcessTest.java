package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ends the finished jar by signals. */
class SignalProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void makeShell() {
    shell = new Shell(folder);
  }

  private Run run(String line) throws Exception {
    return shell.runWithJar(line);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aCommandThatIsEndedLeavesNothing(String signal, int exitCode) throws Exception {
    Files.writeString(folder.resolve("in"), "x\n");
    run("bloomery create -q -o n.bloom in");
    byte[] before = Files.readAllBytes(folder.resolve("n.bloom"));
    Process process = start("add n.bloom");
    try (OutputStream in = process.getOutputStream();
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
      in.write("some\nlines\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      awaitJvm(process);
      kill(signal, process);
      assertTrue(process.waitFor(600, TimeUnit.SECONDS));
      assertEquals(exitCode, process.exitValue());
      assertEquals(List.of(), err.lines().toList());
    }
    assertArrayEquals(before, Files.readAllBytes(folder.resolve("n.bloom")));
    assertEquals(List.of("in", "n.bloom"), files());
  }

  /** The file is so large that saving it takes a while. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aSaveThatIsEndedIsFinishedOrLeavesNothing(String signal, int exitCode) throws Exception {
    Files.writeString(folder.resolve("in"), "x\n");
    shell.with("OPTS", "-Xmx800m");
    Process process = start("create --expected 400000000 -o big.bloom in");
    while (process.isAlive() && files().stream().noneMatch(name -> name.endsWith(".tmp"))) {
      Thread.sleep(1);
    }
    kill(signal, process);
    assertTrue(process.waitFor(600, TimeUnit.SECONDS));
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("", err);
    assertEquals(exitCode, process.exitValue());
    if (Files.exists(folder.resolve("big.bloom"))) {
      assertEquals("big.bloom: ok\n", run("bloomery verify big.bloom").out());
      Files.delete(folder.resolve("big.bloom"));
    }
    assertEquals(List.of("in"), files());
  }

  /** Starts a command that receives a signal even if the process running this test ignores it. */
  private Process start(String arguments) throws IOException {
    return shell.start(
        "env=$(env --default-signal=INT true 2>/dev/null && echo env --default-signal=INT); exec"
            + " $env "
            + Shell.jar()
            + " "
            + arguments);
  }

  // Before its handlers are installed, the JVM just dies.
  private static void awaitJvm(Process process) throws Exception {
    Thread.sleep(1_500);
    assertTrue(process.isAlive());
  }

  private static void kill(String signal, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
