package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a reader written from docs/FORMAT.md refuses exactly the files that ours refuses. */
class ForeignReaderTest {

  private static final int MEBIBYTE = 1 << 20;
  private static final int MUTANTS_OF_EACH = 40;
  private static final long[] EVIL = {
    0, 1, -1, 2, 63, 64, 128, 500_000, 990_000, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
  };

  @TempDir private Path folder;

  @Test
  void bothReadersRefuseTheSameFiles() throws Exception {
    assumeTrue(GoldenFilesTest.hasPython(), "needs python3");
    List<String> command = new ArrayList<>(List.of("python3", "python/bloomery.py", "verify"));
    Set<String> refusedHere = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(21);
    for (GoldenFile golden : GoldenFile.all()) {
      byte[] bytes = golden.bytes();
      for (int i = 0; i < MUTANTS_OF_EACH && bytes.length < MEBIBYTE; i++) {
        Path file = folder.resolve(golden.name() + "-" + i);
        Files.write(file, i == 0 ? bytes : mutant(bytes, random));
        command.add(file.toString());
        if (isRefused(file)) {
          refusedHere.add(file.toString());
        }
      }
    }
    Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    python.waitFor();
    Set<String> refusedThere =
        said.lines()
            .map(line -> line.substring(0, Math.max(0, line.indexOf(": "))))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(String.join("\n", refusedHere), String.join("\n", refusedThere), said);
    int files = command.size() - 3;
    assertTrue(refusedHere.size() > files / 4 && refusedHere.size() < files * 9 / 10, said);
  }

  private static boolean isRefused(Path file) throws IOException {
    try {
      Bloomery.installed().files().open(file, OpenOptions.confined());
      return false;
    } catch (FilterFormatException e) {
      return true;
    }
  }

  /** Changes header or content, and makes the checksums right again. */
  private static byte[] mutant(byte[] bytes, SplittableRandom random) {
    byte[] changed = bytes.clone();
    ByteBuffer file = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
    int header = file.getShort(10);
    int payload = (int) file.getLong(16);
    for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
      if (payload == 0 || random.nextInt(3) > 0) {
        changeHeader(file, header, random);
      } else {
        changeContent(file, header, payload, random);
      }
    }
    mendChecksums(changed, file, header, payload);
    return changed;
  }

  private static void changeHeader(ByteBuffer file, int header, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> file.putLong(24, EVIL[random.nextInt(EVIL.length)]);
      case 1 -> {
        double[] rates = {0, 1, -0.0, Double.NaN, 0x1p-63, 1e-18, 0.5, Math.nextDown(1.0)};
        file.putDouble(32, rates[random.nextInt(rates.length)]);
      }
      default -> {
        int at = 40 + random.nextInt(header - 44);
        file.put(at, (byte) (file.get(at) ^ 1 << random.nextInt(8)));
      }
    }
  }

  private static void changeContent(
      ByteBuffer file, int header, int payload, SplittableRandom random) {
    int words = payload / Long.BYTES;
    // The first words and the last say most.
    int word =
        switch (random.nextInt(3)) {
          case 0 -> random.nextInt(Math.min(words, 16));
          case 1 -> words - 1 - random.nextInt(Math.min(words, 16));
          default -> random.nextInt(words);
        };
    int at = header + Long.BYTES * word;
    switch (random.nextInt(3)) {
      case 0 -> file.putLong(at, EVIL[random.nextInt(EVIL.length)]);
      case 1 -> file.putLong(at, file.getLong(at) + (random.nextInt(5) - 2));
      default -> file.putLong(at, file.getLong(at) ^ 1L << random.nextInt(64));
    }
  }

  private static void mendChecksums(byte[] bytes, ByteBuffer file, int header, int payload) {
    file.putInt(header - 4, crc(bytes, 0, header - 4));
    int trailer = header + payload;
    for (int i = 0; i * MEBIBYTE < payload; i++) {
      int from = header + i * MEBIBYTE;
      file.putInt(trailer + 4 * i, crc(bytes, from, Math.min(from + MEBIBYTE, trailer)));
    }
    file.putInt(bytes.length - 4, crc(bytes, trailer, bytes.length - 4));
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(Arrays.copyOfRange(bytes, from, to));
    return (int) crc.getValue();
  }
}
