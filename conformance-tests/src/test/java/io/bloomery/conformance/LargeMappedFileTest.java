package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
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
