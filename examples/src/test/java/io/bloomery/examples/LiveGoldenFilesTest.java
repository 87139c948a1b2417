package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import io.bloomery.MappedBloomFilter;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live files whose bytes stay the same for ever, but for the time and the process of their writer;
 * {@code -Dbloomery.record=true} writes those of a new version.
 */
class LiveGoldenFilesTest {

  private static final Path GOLDEN = Path.of("../docs/golden/live-version-1");
  private static final int KEYS = 100;
  private static final int BLOCK = 4096;
  private static final int SLOT_BYTES = 32;
  private static final int SINCE_AT = 16;

  @TempDir private Path folder;

  /** Makes the three files. */
  private List<Path> made() throws IOException {
    Path sealed = folder.resolve("sealed.bloom");
    Path open = folder.resolve("open.bloom");
    Path crashed = folder.resolve("crashed.bloom");
    try (LiveBloomFilter<String> live = Bloomery.strings().expect(KEYS).openOrCreate(sealed)) {
      for (int i = 0; i < KEYS; i++) {
        live.put("key-" + i);
      }
      Files.copy(sealed, open);
    }
    byte[] torn = withFixedStates(Files.readAllBytes(sealed));
    Files.write(sealed, torn);
    Arrays.fill(torn, BLOCK + SLOT_BYTES / 2, 2 * BLOCK, (byte) 0);
    Files.write(crashed, torn);
    Files.write(open, withFixedStates(Files.readAllBytes(open)));
    return List.of(sealed, open, crashed);
  }

  private static byte[] withFixedStates(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = BLOCK; at < 3 * BLOCK; at += BLOCK) {
      if (file.getLong(at + SINCE_AT) != 0) {
        file.putLong(at + SINCE_AT, Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
        file.putLong(at + SINCE_AT + Long.BYTES, 4711);
        CRC32C crc = new CRC32C();
        crc.update(bytes, at, BLOCK - Integer.BYTES);
        file.putInt(at + BLOCK - Integer.BYTES, (int) crc.getValue());
      }
    }
    return bytes;
  }

  @Test
  void theFilesAreTheSameForEver() throws IOException {
    for (Path made : made()) {
      Path golden = GOLDEN.resolve(made.getFileName());
      if (Boolean.getBoolean("bloomery.record")) {
        Files.createDirectories(GOLDEN);
        Files.write(golden, Files.readAllBytes(made));
      }
      assertArrayEquals(Files.readAllBytes(golden), Files.readAllBytes(made), golden.toString());
      boolean isSealed = golden.endsWith("sealed.bloom");
      assertEquals(isSealed, FilterFiles.installed().verify(golden).isSound());
      assertEquals(isSealed, FilterFiles.installed().verify(golden).open().isEmpty());
      try (MappedBloomFilter<String> mapped = Bloomery.strings().map(golden)) {
        for (int i = 0; i < KEYS; i++) {
          assertTrue(mapped.mightContain("key-" + i));
        }
      }
      if (!isSealed) {
        assertThrows(FilterFormatException.class, () -> Bloomery.strings().open(golden));
      }
    }
  }

  @Test
  void aReaderInAnotherLanguageReadsThem() throws Exception {
    assumeTrue(PythonReader.isThere(), "there is no python3");
    List<Path> files = new ArrayList<>();
    for (String name : List.of("sealed", "open", "crashed")) {
      Path file = GOLDEN.resolve(name + ".bloom");
      files.add(file);
      List<Object> arguments = new ArrayList<>(List.of(file));
      StringBuilder found = new StringBuilder();
      for (int i = 0; i < KEYS; i++) {
        arguments.add("key-" + i);
        found.append("key-").append(i).append('\n');
      }
      arguments.add("another");
      assertEquals(found.toString(), PythonReader.output(PythonReader.start("check", arguments)));
      String about = PythonReader.output(PythonReader.start("info", List.of(file)));
      assertTrue(
          about.contains("live file, " + (name.equals("sealed") ? "sealed" : "open")), about);
    }
    assertTrue(PythonReader.refused(files).isEmpty());
    byte[] damaged = Files.readAllBytes(files.get(0));
    damaged[BLOCK + 1] ^= 1;
    damaged[2 * BLOCK + 1] ^= 1;
    Path both = Files.write(folder.resolve("both.bloom"), damaged);
    assertEquals(1, PythonReader.refused(List.of(both)).size());
  }

  @Test
  void aReaderInAnotherLanguageReadsWindows() throws Exception {
    assumeTrue(PythonReader.isThere(), "there is no python3");
    Path windows = Path.of("../docs/golden/live-window-version-1");
    List<Path> files = new ArrayList<>();
    for (String name : List.of("sealed", "open", "crashed")) {
      Path file = windows.resolve(name + ".window");
      files.add(file);
      List<Object> arguments = new ArrayList<>(List.of(file));
      StringBuilder found = new StringBuilder();
      for (int i = 0; i < 240; i++) {
        arguments.add("key-" + i);
        if (i > 100 && (i < 202 || !name.equals("crashed"))) {
          found.append("key-").append(i).append('\n');
        }
      }
      assertEquals(found.toString(), PythonReader.output(PythonReader.start("check", arguments)));
    }
    assertTrue(PythonReader.refused(files).isEmpty());
    byte[] damaged = Files.readAllBytes(files.get(0));
    damaged[6 * BLOCK + 1] ^= 1; // the number of clears of a table
    Path other = Files.write(folder.resolve("other.window"), damaged);
    assertEquals(1, PythonReader.refused(List.of(other)).size());
  }
}
