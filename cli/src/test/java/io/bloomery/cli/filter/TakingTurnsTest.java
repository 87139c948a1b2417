package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks commands that change one file at the same time. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakingTurnsTest {

  @TempDir private Path folder;
  private Path filter;

  @BeforeEach
  void create() throws IOException {
    filter = folder.resolve("seen.bloom");
    Path lines = Files.writeString(folder.resolve("lines"), "one\ntwo\n");
    Run.command("create --variant counting --expected 1000 -o %s %s", filter, lines).assertEnds(0);
  }

  /** A command that locks the file until its input ends. */
  private final class Slow {
    private final PipedOutputStream input = new PipedOutputStream();
    private final CompletableFuture<Run> end;

    Slow(String command) throws Exception {
      PipedInputStream in = new PipedInputStream(input);
      end = CompletableFuture.supplyAsync(() -> Run.reading(in, command, filter));
      // Until it has locked the file.
      while (Run.piped("", "add --wait 0 %s", filter).exitCode() == ExitCode.OK) {
        Thread.sleep(1);
      }
    }

    Run finish(String lines) throws Exception {
      input.write(lines.getBytes(StandardCharsets.UTF_8));
      input.close();
      return end.get();
    }
  }

  private String check(String lines) {
    return Run.withInput(lines, "check", filter).out();
  }

  @ParameterizedTest
  @CsvSource({"add, three, four, 'one\ntwo\nthree\nfour\n'", "remove, one, two, ''"})
  void changesAtTheSameTimeLoseNoLines(String command, String first, String then, String left)
      throws Exception {
    Slow slow = new Slow(command);
    CompletableFuture<Run> other =
        CompletableFuture.supplyAsync(() -> Run.withInput(then + "\n", command, filter));
    slow.finish(first + "\n").assertEnds(ExitCode.OK);
    other.get().assertEnds(ExitCode.OK, "1 lines " + (command.equals("add") ? "added" : "removed"));
    assertEquals(left, check("one\ntwo\nthree\nfour\n"));
  }

  @Test
  void whoWaitsSaysSoAndGivesUpInTime() throws Exception {
    Slow slow = new Slow("add");
    try {
      for (String command : new String[] {"add", "remove"}) {
        Run.assertFails(
            ExitCode.BAD_FILE,
            "waiting for "
                + filter
                + ", which another command is changing\nbloomery: "
                + filter
                + ": must not be changed by another, but was for 1 seconds; run this again later,"
                + " or with a longer --wait",
            Run.piped("three\n", "%s --wait 1 %s", command, filter));
      }
      Run.command("merge --force --wait 0 -o %s %s", filter, filter)
          .assertEnds(ExitCode.BAD_FILE, "must not be changed by another");
      // Commands that only read the file do not wait.
      assertEquals("one\n", check("one\n"));
    } finally {
      slow.finish("three\n").assertEnds(0);
    }
    assertEquals("three\n", check("three\n"));
  }

  @Test
  void aProgramAndACommandTakeTurns() throws Exception {
    try (var update = Bloomery.strings().update(filter, Duration.ZERO)) {
      Run.piped("x\n", "add -q --wait 0 %s", filter).assertEnds(ExitCode.BAD_FILE);
      update.filter().put("three");
      update.save();
    }
    assertEquals("three\n", check("three\n"));
  }

  @Test
  void aTimeThatCannotBeWaitedIsRefused() {
    Run.piped("x\n", "add --wait -1 %s", filter)
        .assertEnds(ExitCode.USAGE, "--wait must be at least 0, but was -1");
  }
}
