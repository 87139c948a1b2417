package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

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
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to read filters of every variant installed, and where that leaves the reader. */
class ReadingCostTest {

  private static final long LARGE_BITS = 64L << 23;
  private static final long FREE = 64 << 10;

  private static Stream<DynamicTest> forEach(Check check) {
    return Bloomery.installed().providers().all().stream()
        .map(provider -> dynamicTest(provider.variant(), () -> check.on(provider)));
  }

  private interface Check {
    void on(FilterProvider provider) throws IOException;
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

  @TestFactory
  Stream<DynamicTest> aLargeFilterCostsAQuarterMoreThanItsFileAndTwiceThatByStream(
      @TempDir Path folder) {
    return forEach(
        provider -> {
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
            assertTrue(
                size < keys || length > LARGE_BITS / Byte.SIZE * 9 / 10, "file of " + length);
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
        });
  }

  @TestFactory
  Stream<DynamicTest> filtersAndForeignBytesFollowEachOtherInStreamsAndBuffers() {
    return forEach(
        provider -> {
          byte[] foreign = {'B', 'L', 'O', 'O', 0, 1};
          List<Filter> filters =
              List.of(
                  provider.create(FilterSpec.of(1, 0.5), ThreadMode.SHARED),
                  provider.create(FilterSpec.of(100, 0.01), ThreadMode.SHARED),
                  provider.create(FilterSpec.of(100_000, 0.01), ThreadMode.CONFINED));
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          for (Filter filter : filters) {
            for (long hash : new Hashes(2).next(500)) {
              Subject.put(filter, hash, hash, hash, hash, hash, hash);
            }
            int before = out.size();
            FilterFiles.write(filter, out);
            assertEquals(FilterFiles.serializedSize(filter), out.size() - before);
            out.write(foreign);
          }
          byte[] all = out.toByteArray();
          Bloomery bloomery = Bloomery.with(provider);
          InputStream stream = new ByteArrayInputStream(all);
          InputStream buffered = new BufferedInputStream(new ByteArrayInputStream(all), 100);
          ByteBuffer buffer = ByteBuffer.wrap(all);
          for (Filter filter : filters) {
            byte[] expected = Subject.write(filter);
            for (InputStream in : List.of(stream, buffered)) {
              assertArrayEquals(
                  expected, Subject.write(bloomery.files().read(in, OpenOptions.shared())));
              assertArrayEquals(foreign, in.readNBytes(foreign.length));
            }
            assertArrayEquals(
                expected, Subject.write(bloomery.files().read(buffer, OpenOptions.shared())));
            byte[] rest = new byte[foreign.length];
            buffer.get(rest);
            assertArrayEquals(foreign, rest);
          }
          assertEquals(-1, stream.read());
          assertEquals(-1, buffered.read());
          assertEquals(0, buffer.remaining());
        });
  }
}
