package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What it costs to read filters of every variant installed. */
class ReadingCostTest {

  private static final long LARGE_BITS = 64L << 23;
  private static final long FREE = 64 << 10;

  static Collection<? extends FilterProvider> providers() {
    return Bloomery.installed().providers().all();
  }

  private interface Reading {
    Filter read() throws IOException;
  }

  private static long allocatedBy(Reading reading) throws IOException {
    long before = Allocation.byThisThread();
    Filter filter = reading.read();
    long allocated = Allocation.byThisThread() - before;
    assertTrue(filter.stats().setBits() > 0);
    return allocated;
  }

  @ParameterizedTest
  @MethodSource("providers")
  void aLargeFilterCostsAQuarterMoreThanItsFileAndTwiceThatByStream(
      FilterProvider provider, @TempDir Path folder) throws IOException {
    Bloomery bloomery = Bloomery.with(provider);
    long keys =
        Bloomery.longs()
            .within(LARGE_BITS / Byte.SIZE)
            .variant(provider)
            .maxKeys(0.01)
            .spec()
            .expectedKeys();
    // The first time is small, and loads classes.
    for (long size : new long[] {1_000, keys}) {
      Filter filter = provider.create(FilterSpec.of(size, 0.01), ThreadMode.CONFINED);
      Subject.put(filter, new Hashes(1).next(1_000));
      Path path = folder.resolve(provider.variant() + size);
      FilterFiles.save(filter, path);
      long length = Files.size(path);
      assertEquals(FilterFiles.serializedSize(filter), length);
      assertTrue(size < keys || length > LARGE_BITS / Byte.SIZE * 9 / 10, "file of " + length);
      long opened = allocatedBy(() -> bloomery.files().open(path));
      long streamed;
      try (InputStream in = Files.newInputStream(path)) {
        streamed = allocatedBy(() -> bloomery.files().read(in, OpenOptions.shared()));
      }
      if (size == keys) {
        System.out.printf(
            "%s: %,d bytes; allocated: file %.3f, stream %.3f of them%n",
            provider.variant(), length, (double) opened / length, (double) streamed / length);
        assertTrue(opened <= length + length / 4 + FREE, opened + " for " + length);
        assertTrue(streamed <= 2 * length + length / 4 + FREE, streamed + " for " + length);
      }
    }
  }
}
