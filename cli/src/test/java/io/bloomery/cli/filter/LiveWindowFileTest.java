package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.window.LiveSlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveWindowFileTest {

  @TempDir private Path folder;

  @Test
  void verifyAndInfoTellTheStateAndSealOneThatWasLeft() throws IOException {
    Path open = folder.resolve("open.window");
    Path left = folder.resolve("left.window");
    try (LiveSlidingBloomFilter<String> window =
        SlidingBloomFilter.builder(Bloomery.strings().expect(100)).openOrCreate(open)) {
      window.put("a");
      Files.copy(open, left);
      for (Path file : new Path[] {open, left}) {
        Run run = Run.of("verify", file);
        assertTrue(run.out().startsWith(file + ": open for writing since "), run.out());
        run.assertEnds(ExitCode.OPEN);
        Run.of("info", file).assertEnds(ExitCode.BAD_FILE, "open for writing by process ");
      }
      Run.of("verify", "--seal", open).assertEnds(ExitCode.BAD_FILE);
      assertEquals(left + ": ok\n", Run.of("verify", "--seal", left).out());
    }
    for (Path file : new Path[] {open, left}) {
      Run.of("verify", file).assertEnds(ExitCode.OK);
      Run info = Run.of("info", file);
      assertTrue(info.out().matches("(?s).*live file +sealed\\n.*"), info.out());
      assertTrue(info.out().contains("1 keys, 1 of them new"), info.out());
    }
  }
}
