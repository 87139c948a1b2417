package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedWindowTest {

  @TempDir private Path folder;

  private Path saved() throws IOException {
    SlidingBloomFilter<String> seen =
        SlidingBloomFilter.builder(Bloomery.strings().expect(10).fpp(1e-6)).create();
    for (int i = 0; i < 13; i++) {
      seen.put("key " + i);
    }
    Path file = folder.resolve("seen.window");
    seen.save(file);
    return file;
  }

  @Test
  void infoDescribesAWindow() throws IOException {
    Path file = saved();
    Run run = Run.of("info", file);
    assertEquals("", run.err());
    run.assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("  window           the last 10 keys\n"), run.out());
    assertTrue(run.out().contains("  youngest         3 keys, 3 of them new\n"), run.out());
    assertTrue(run.out().contains("  oldest           5 keys, 5 of them new\n"), run.out());
    Map<String, Object> json = Run.of("info", "--json", file).json();
    assertEquals("keys", json.get("window"));
    assertEquals(10.0, json.get("expectedKeys"));
    SlidingBloomFilter.builder(Bloomery.strings().expect(10).fpp(1e-6))
        .lasting(Duration.ofMinutes(90))
        .create()
        .save(file);
    assertTrue(
        Run.of("info", file).out().contains("the last 1h 30m, for 10 keys in each"), "by time");
  }

  @Test
  void verifyFindsWhatIsDamagedInAWindow() throws IOException {
    Path file = saved();
    Run sound = Run.of("verify", file);
    assertEquals(file + ": ok\n", sound.out());
    sound.assertEnds(ExitCode.OK);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    bytes[200] ^= 1;
    Files.write(file, bytes);
    Run damaged = Run.of("verify", file);
    assertEquals(2, damaged.out().lines().count(), damaged.out());
    damaged.assertEnds(ExitCode.BAD_FILE);
    Run.of("info", file).assertEnds(ExitCode.BAD_FILE);
  }

  @Test
  void whatTakesFiltersSaysThatItIsAWindow() throws IOException {
    Run.withInput("key 1\n", "check", saved())
        .assertEnds(ExitCode.BAD_FILE, "is a window, which info, verify");
  }
}
