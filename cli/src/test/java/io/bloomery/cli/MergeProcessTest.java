package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterSpec;
import io.bloomery.MergeableFilter;
import io.bloomery.ThreadMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Merges and verifies, with the finished jar, files that are larger than the heap. */
class MergeProcessTest {

  private static final long MIB = 1 << 20;

  @TempDir private static Path folder;
  private static String command;

  @BeforeAll
  static void saveFilters() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    command = "'" + java + "' -Xmx48m -jar '" + System.getProperty("bloomery.jar") + "'";
    Bloomery bloomery = Bloomery.installed();
    FilterSpec spec = bloomery.planMaxKeys("standard", 0.01, 96 * MIB * 8).spec();
    MergeableFilter merged = null;
    for (int i = 0; i < 3; i++) {
      MergeableFilter filter =
          (MergeableFilter) bloomery.provider("standard").create(spec, ThreadMode.CONFINED);
      new SplittableRandom(i).longs(1_000_000).forEach(filter::put);
      Bloomery.save(filter, folder.resolve(i + ".bloom"));
      if (merged == null) {
        merged = filter;
      } else {
        merged.putAll(filter);
      }
    }
    Bloomery.save(merged, folder.resolve("expected.bloom"));
    assertTrue(Files.size(folder.resolve("0.bloom")) >= 95 * MIB);
  }

  @Test
  void filesLargerThanTheHeapAreMergedAndVerified() throws Exception {
    Shell shell = new Shell(folder);
    assertEquals(ExitCode.BAD_FILE, shell.run(command + " info 0.bloom").exitCode());
    Shell.Answer answer =
        shell.run(command + " merge --quiet -o merged.bloom 0.bloom 1.bloom 2.bloom");
    assertEquals("", answer.err());
    assertEquals(0, answer.exitCode());
    Path result = folder.resolve("merged.bloom");
    assertEquals(-1, Files.mismatch(folder.resolve("expected.bloom"), result));
    assertEquals("merged.bloom: ok\n", shell.run(command + " verify merged.bloom").out());
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMergeThatIsEndedLeavesNothing() throws Exception {
    Process process =
        new Shell(folder)
            .start("exec " + command + " merge -o ended.bloom 0.bloom 1.bloom 2.bloom");
    while (process.isAlive() && files().noneMatch(name -> name.startsWith(".ended.bloom."))) {
      Thread.sleep(1);
    }
    // The process itself would close its streams.
    process.toHandle().destroy();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals("", new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(143, process.exitValue());
    assertTrue(files().noneMatch(name -> name.contains("ended")));
  }

  private static Stream<String> files() {
    return Stream.of(folder.toFile().list());
  }
}
