package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.run.Capability;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveFilter;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A file of more than 3 GiB is mapped, verified and queried. Part of the profile {@code nightly};
 * takes a heap of 4 GB and as much room in the folder for temporary files, and fails without.
 */
@Tag("nightly")
class LargeMappedFileTest {

  private static final long EXPECTED = 2_700_000_000L;
  private static final int KEYS = 1_000_000;
  private static final long MIN_SIZE = 3L << 30;
  private static final long MOST_READ = 128L << 20;

  @TempDir Path folder;

  static Stream<String> variantsOfOneTable() {
    return Bloomery.installed().providers().all().stream()
        .filter(TableProvider.class::isInstance)
        .map(FilterProvider::variant);
  }

  @ParameterizedTest
  @MethodSource("variantsOfOneTable")
  void aFileBeyondThreeGigabytes(String variant) throws IOException {
    Path path = folder.resolve("large.bloom");
    Bloomery bloomery = Bloomery.installed();
    long[] put = new SplittableRandom(1).longs(KEYS).toArray();
    write(bloomery, variant, put, path);
    long start = System.nanoTime();
    try (MappedFilter mapped = bloomery.files().map(path)) {
      double opened = (System.nanoTime() - start) / 1e6;
      int[] hits = new int[KEYS];
      assertEquals(KEYS, mapped.select(put, 0, KEYS, hits));
      for (long hash : put) {
        assertTrue(mapped.mightContain(hash), () -> "hash " + hash);
      }
      // A table for 2,700 times as many keys: one in 10^20 is found by mistake.
      long[] others = new SplittableRandom(2).longs(KEYS).toArray();
      start = System.nanoTime();
      assertEquals(0, mapped.select(others, 0, KEYS, hits));
      double queried = (double) (System.nanoTime() - start) / KEYS;
      start = System.nanoTime();
      mapped.verify();
      System.out.printf(
          Locale.ROOT,
          "%s: %.2f GB mapped in %.1f ms, queried in %.0f ns, verified in %.1f s%n",
          variant,
          Files.size(path) / 1e9,
          opened,
          queried,
          (System.nanoTime() - start) / 1e9);
    }
  }

  static Stream<String> variantsThatLive() {
    return Bloomery.installed().providers().all().stream()
        .filter(Capability.LIVING::isOfferedBy)
        .map(FilterProvider::variant);
  }

  /** What opens it reads none of its table, and puts and queries reach all of it. */
  @ParameterizedTest
  @MethodSource("variantsThatLive")
  @EnabledOnOs(OS.LINUX)
  void aLiveFileBeyondThreeGigabytes(String variant) throws IOException {
    FilterFiles files = Bloomery.installed().files();
    FilterProvider provider = Bloomery.installed().providers().get(variant);
    FilterSpec spec = FilterSpec.of(EXPECTED, 0.01);
    Path path = folder.resolve("large.live");
    files.openOrCreateLive(path, Duration.ZERO, provider, spec, OpenOptions.confined()).close();
    assertTrue(Files.size(path) >= MIN_SIZE);
    long[] put = new SplittableRandom(1).longs(KEYS).toArray();
    int[] hits = new int[KEYS];
    long read = readBytes();
    try (LiveFilter live = files.openLive(path, Duration.ZERO, OpenOptions.confined())) {
      // What reads the table reads or touches 24 times as many at least.
      assertTrue(readBytes() - read < MOST_READ, () -> readBytes() - read + " bytes are read");
      assertTrue(touchedBytes(path) < MOST_READ, () -> touchedBytes(path) + " bytes are touched");
      assertEquals(KEYS, live.putAll(put, 0, KEYS), "in a table for 2,700 times as many");
      assertEquals(KEYS, live.select(put, 0, KEYS, hits));
    }
    assertTrue(files.verify(path).isSound());
    long[] others = new SplittableRandom(2).longs(KEYS).toArray();
    try (MappedFilter mapped = files.map(path)) {
      assertEquals(KEYS, mapped.select(put, 0, KEYS, hits));
      assertEquals(0, mapped.select(others, 0, KEYS, hits)); // as above
    }
    // A MiB of the table has 300 keys of a million on average: none at random with 10^-100.
    for (long border = 1L << 30; border < Files.size(path); border += 1L << 30) {
      assertTrue(hasBits(path, border), "beyond " + border);
    }
  }

  /** Returns the number of bytes that this process has read by system calls. */
  private static long readBytes() {
    return number(lines(Path.of("/proc/self/io")), "rchar:");
  }

  /** Returns the number of bytes of a file that this process has mapped and touched. */
  private static long touchedBytes(Path path) {
    long sum = 0;
    boolean isOfFile = false;
    for (String line : lines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        isOfFile = line.endsWith(path.toString());
      } else if (isOfFile && line.startsWith("Rss:")) {
        sum += number(List.of(line), "Rss:") << 10;
      }
    }
    return sum;
  }

  private static List<String> lines(Path path) {
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long number(List<String> lines, String name) {
    String line = lines.stream().filter(each -> each.startsWith(name)).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("\\D", ""));
  }

  /** Returns whether one of the 1 MiB from a place on is not zero. */
  private static boolean hasBits(Path path, long from) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    try (FileChannel in = FileChannel.open(path)) {
      in.read(bytes, from);
    }
    bytes.flip();
    while (bytes.hasRemaining()) {
      if (bytes.get() != 0) {
        return true;
      }
    }
    return false;
  }

  private static void write(Bloomery bloomery, String variant, long[] put, Path path)
      throws IOException {
    Filter filter =
        bloomery
            .providers()
            .get(variant)
            .create(FilterSpec.of(EXPECTED, 0.01), ThreadMode.CONFINED);
    filter.putAll(put, 0, put.length);
    long size = FilterFiles.serializedSize(filter);
    assertTrue(size >= MIN_SIZE, () -> "the file would have only " + size + " bytes");
    long room = Files.getFileStore(path.getParent()).getUsableSpace();
    assertTrue(
        room > size, () -> "there must be room for " + size + " bytes, but there is for " + room);
    FilterFiles.save(filter, path);
  }
}
