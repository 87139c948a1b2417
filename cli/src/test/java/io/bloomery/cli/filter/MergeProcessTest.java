package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.io.File;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Merges and verifies files larger than the heap with the finished jar. */
class MergeProcessTest {

  private static final long MIB = 1 << 20;

  @TempDir private static Path folder;
  private static final String COMMAND = Shell.jar();
  private static Shell shell;

  @BeforeAll
  static void saveFilters() throws Exception {
    shell = new Shell(folder).with("OPTS", "-Xmx48m");
    Bloomery bloomery = Bloomery.installed();
    FilterSpec spec = Bloomery.longs().within(96 * MIB).maxKeys(0.01).spec();
    MergeableFilter merged = null;
    for (int i = 0; i < 3; i++) {
      MergeableFilter filter =
          (MergeableFilter) bloomery.providers().get("standard").create(spec, ThreadMode.CONFINED);
      new SplittableRandom(i).longs(1_000_000).forEach(filter::put);
      FilterFiles.save(filter, folder.resolve(i + ".bloom"));
      if (merged == null) {
        merged = filter;
      } else {
        merged.putAll(filter);
      }
    }
    FilterFiles.save(merged, folder.resolve("expected.bloom"));
    assertTrue(Files.size(folder.resolve("0.bloom")) >= 95 * MIB);
  }

  @Test
  void filesLargerThanTheHeapAreMergedAndVerified() throws Exception {
    Run answer = shell.run(COMMAND + " merge --quiet -o merged.bloom 0.bloom 1.bloom 2.bloom");
    assertEquals("", answer.err());
    answer.assertEnds(0);
    Path result = folder.resolve("merged.bloom");
    assertEquals(-1, Files.mismatch(folder.resolve("expected.bloom"), result));
    assertEquals("merged.bloom: ok\n", shell.run(COMMAND + " verify merged.bloom").out());
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMergeThatIsEndedLeavesNothing() throws Exception {
    Process process =
        shell.start("exec " + COMMAND + " merge -o ended.bloom 0.bloom 1.bloom 2.bloom");
    while (process.isAlive() && files().noneMatch(name -> name.startsWith(".ended.bloom."))) {
      Thread.sleep(1);
    }
    // The process itself would close its streams.
    process.toHandle().destroy();
    assertTrue(process.waitFor(600, TimeUnit.SECONDS));
    assertEquals("", new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(143, process.exitValue());
    assertTrue(files().noneMatch(name -> name.startsWith(".ended")));
    Path ended = folder.resolve("ended.bloom");
    if (Files.exists(ended)) {
      assertEquals(-1, Files.mismatch(folder.resolve("expected.bloom"), ended));
    }
  }

  /** Killed while it prints, and while it merges: the next removes what is a minute old. */
  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMergeToTheStandardOutputThatIsKilledLeavesNothing() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    String merge =
        "exec "
            + COMMAND.replace("${OPTS:-}", "${OPTS:-} -Djava.io.tmpdir=" + temporary)
            + " merge -o - 0.bloom 1.bloom 2.bloom";
    Process merging = shell.start(merge);
    while (merging.isAlive()
        && temporary.toFile().list().length < 2
        && merging.getInputStream().available() == 0) {
      Thread.sleep(1);
    }
    assertTrue(merging.destroyForcibly().waitFor(600, TimeUnit.SECONDS));
    FileTime old = FileTime.from(Instant.now().minusSeconds(120));
    for (File left : temporary.toFile().listFiles()) {
      Files.setLastModifiedTime(left.toPath(), old);
    }
    Process printing = shell.start(merge);
    assertEquals('B', printing.getInputStream().read());
    assertArrayEquals(new String[0], temporary.toFile().list());
    assertTrue(printing.destroyForcibly().waitFor(600, TimeUnit.SECONDS));
    assertArrayEquals(new String[0], temporary.toFile().list());
  }

  @Test
  void filesLargerThanTheHeapAreAskedAndDescribed() throws Exception {
    // A key of the filter is a hash, for which the command has no text, so all queries are for
    // absent keys.
    Run info = shell.run(COMMAND + " info expected.bloom").assertEnds(0);
    assertTrue(info.out().contains("checksums        ok"), info::out);
    Bloomery bloomery = Bloomery.installed();
    FilterSpec spec =
        bloomery.files().open(folder.resolve("0.bloom"), OpenOptions.confined()).spec();
    BloomFilter<CharSequence> text =
        bloomery.keys(KeyHasher.strings()).expect(spec.expectedKeys()).confined().create();
    text.put("here");
    text.save(folder.resolve("text.bloom"));
    Run check = shell.run("printf 'here\\nthere\\n' | " + COMMAND + " check text.bloom");
    assertEquals("", check.err());
    assertEquals("here\n", check.out());
    // A copy, since a mapped file must not be written to.
    Path damaged = folder.resolve("damaged.bloom");
    Files.copy(folder.resolve("text.bloom"), damaged);
    try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
      file.seek(50 * MIB);
      file.write(1);
    }
    Run refused = shell.run("echo here | " + COMMAND + " check damaged.bloom");
    assertEquals("", refused.out());
    refused.assertEnds(ExitCode.BAD_FILE, "content damaged");
  }

  @Test
  void aFileThatIsTooLargeForTheHeapIsNotSaidToBeBad() throws Exception {
    Bloomery bloomery = Bloomery.installed();
    bloomery
        .keys(KeyHasher.strings())
        .expect(Bloomery.longs().within(96 * MIB).maxKeys(0.01).spec().expectedKeys())
        .confined()
        .create()
        .save(folder.resolve("large.bloom"));
    for (String arguments : new String[] {" add large.bloom", " check - /dev/null < large.bloom"}) {
      Run answer =
          shell
              .run("echo x | " + COMMAND + arguments)
              .assertEnds(ExitCode.BAD_FILE, "but the heap is limited to", "give Java more");
      assertFalse(answer.err().contains("restore"), answer::err);
      assertFalse(answer.err().contains("name one that"), answer::err);
    }
  }

  private static Stream<String> files() {
    return Stream.of(folder.toFile().list());
  }
}
