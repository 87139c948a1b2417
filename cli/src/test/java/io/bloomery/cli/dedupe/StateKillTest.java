package io.bloomery.cli.dedupe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.JavaProcess;
import io.bloomery.cli.Main;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines of {@code cat | dedupe --state} of which the second process is killed. */
class StateKillTest {

  /** Where the output of each run goes. */
  private enum Output {
    /** To the end of one file. */
    ONE_FILE,
    /** To files of their own. */
    FILES,
    /** To a process that reads all of it until its end. */
    PIPE
  }

  /** A million lines in fifty kills: one campaign in a million has a false positive. */
  private static final int LINES_OF_KILL = 20_000;

  @TempDir private Path folder;
  private final Random random = Shell.draw();
  private int torn;
  private int pending;

  @Test
  void fiveKillsLoseAndRepeatNoLine() throws Exception {
    campaign(Output.ONE_FILE, "--expected", 5);
    campaign(Output.ONE_FILE, "--window", 5);
  }

  @Test
  @Tag("nightly")
  void fiftyKillsLoseAndRepeatNoLine() throws Exception {
    campaign(Output.ONE_FILE, "--expected", 50);
    campaign(Output.FILES, "--expected", 50);
    campaign(Output.FILES, "--window", 50);
  }

  @Test
  @Tag("nightly")
  void killsOfPipelinesIntoPipesRepeatNoLine() throws Exception {
    campaign(Output.PIPE, "--expected", 20);
  }

  /** As by kill without -9, and as by Ctrl-C. */
  @Test
  void aRunThatIsEndedBySignalSealsItsFile() throws Exception {
    Process process =
        dedupe(folder, "--expected", 1000)
            .redirectError(Redirect.INHERIT)
            .redirectOutput(Redirect.PIPE)
            .start();
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      in.write("a\nb\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertEquals("a", out.readLine());
      assertEquals("b", out.readLine());
      // Process.destroy would close its input as well, at whose end it ends by itself.
      assertTrue(process.toHandle().destroy());
      assertEquals(143, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("state")), files.toList());
    }
    Run.of("verify", folder.resolve("state")).assertEnds(ExitCode.OK);
  }

  private static ProcessBuilder dedupe(Path of, String room, int lines) {
    return JavaProcess.of(
        List.of(),
        Main.class,
        "dedupe",
        "-q",
        "--state",
        of.resolve("state").toString(),
        room,
        Integer.toString(lines),
        "--fpp",
        "1e-12");
  }

  /**
   * Kills runs.
   *
   * @param room the option for all lines: a window of as many remembers all, and is in its third
   *     generation at the end
   */
  private void campaign(Output output, String room, int kills) throws Exception {
    Path of = Files.createDirectory(folder.resolve(output.name() + room));
    List<String> lines =
        IntStream.range(0, kills * LINES_OF_KILL)
            .mapToObj(i -> i + "-" + "x".repeat(random.nextInt(20)))
            .toList();
    Path in = Files.write(of.resolve("in"), lines);
    long size = Files.size(in);
    torn = 0;
    pending = 0;
    for (int kill = 0; kill <= kills; kill++) {
      Path out = of.resolve("out" + (output == Output.ONE_FILE ? 0 : kill));
      run(
          dedupe(of, room, lines.size()),
          of,
          in,
          out,
          output == Output.PIPE,
          kill < kills ? random.nextLong(size / kills) : size);
    }
    Set<String> printed = new HashSet<>();
    int count = 0;
    for (int run = 0; run <= (output == Output.ONE_FILE ? 0 : kills); run++) {
      String text = Files.readString(of.resolve("out" + run));
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        printed.add(line);
        count++;
      }
    }
    int lost = lines.size() - printed.size();
    System.out.printf(
        "%s, %s: %,d lines, %d kills, of which %d left a batch and %d a part of a line: %d lost, %d"
            + " printed twice%n",
        output, room, lines.size(), kills, pending, torn, lost, count - printed.size());
    assertTrue(Set.copyOf(lines).containsAll(printed));
    assertEquals(printed.size(), count);
    assertTrue(lost <= (output == Output.PIPE ? 4096 * kills : 0), lost + " lines lost");
  }

  /** Kills a run once its output has grown by more than some bytes, or lets it end. */
  private void run(ProcessBuilder dedupe, Path of, Path in, Path out, boolean isPiped, long bytes)
      throws Exception {
    long before = Files.exists(out) ? Files.size(out) : 0;
    boolean isLast = bytes == Files.size(in);
    Path errors = of.resolve("errors");
    dedupe.redirectError(Redirect.appendTo(errors.toFile()));
    List<ProcessBuilder> line =
        new ArrayList<>(List.of(new ProcessBuilder("cat", in.toString()), dedupe));
    if (isPiped) {
      line.add(new ProcessBuilder("cat"));
    }
    line.get(line.size() - 1).redirectOutput(Redirect.appendTo(out.toFile()));
    List<Process> processes = ProcessBuilder.startPipeline(line);
    try {
      while (!isLast && processes.get(1).isAlive() && Files.size(out) <= before + bytes) {
        LockSupport.parkNanos(100_000);
      }
      if (!isLast) {
        LockSupport.parkNanos(random.nextInt(3_000_000));
        processes.get(1).destroyForcibly();
      }
      int exitCode = processes.get(1).waitFor();
      assertTrue(isLast ? exitCode == 0 : exitCode == 137 || exitCode == 0, said(errors));
      for (Process process : processes) {
        process.waitFor();
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    note(of, out);
  }

  private void note(Path of, Path out) throws IOException {
    Path left = of.resolve(".state.bloomery.pending");
    // The second number is that of the bytes that follow.
    if (Files.exists(left)
        && Files.size(left) > 0
        && ByteBuffer.wrap(Files.readAllBytes(left)).getLong(Long.BYTES) != 0) {
      pending++;
    }
    byte[] printed = Files.readAllBytes(out);
    if (printed.length > 0 && printed[printed.length - 1] != '\n') {
      torn++;
    }
  }

  private static String said(Path errors) throws IOException {
    return Files.readString(errors, StandardCharsets.UTF_8);
  }
}
