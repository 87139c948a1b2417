package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a filter grows no further than whoever created or opened it allows. */
class LimitsTest {

  private static final ScalableProvider PROVIDER = new ScalableProvider();

  private static long[] hashes(int count) {
    return new SplittableRandom(count).longs(count).toArray();
  }

  @Property(seed = "8", tries = 200)
  void noPutMakesItLargerThanAllowed(
      @ForAll @IntRange(min = 1, max = 300) int first,
      @ForAll @LongRange(min = 1, max = 20_000) long maxBytes,
      @ForAll ThreadMode mode) {
    FilterSpec spec = FilterSpec.of(first, 0.01);
    FilterLimits limits = FilterLimits.ofBytes(maxBytes);
    long begin = PROVIDER.create(spec, mode).payloadSize();
    if (begin > maxBytes) {
      assertThrows(IllegalArgumentException.class, () -> PROVIDER.create(spec, mode, limits));
      return;
    }
    Filter filter = PROVIDER.create(spec, mode, limits);
    int in = 0;
    long[] hashes = hashes(5_000);
    try {
      for (; in < hashes.length; in++) {
        filter.put(hashes[in]);
      }
    } catch (FilterFullException e) {
      assertTrue(e.getMessage().contains("when creating or opening it"), e::getMessage);
    }
    assertTrue(filter.payloadSize() <= maxBytes);
    for (int i = 0; i < in; i++) {
      assertTrue(filter.mightContain(hashes[i]));
    }
    if (in < hashes.length) {
      int refused = in;
      long[] before = PayloadBuffer.of(filter);
      assertThrows(FilterFullException.class, () -> filter.copy().put(hashes[refused]));
      assertThrows(FilterFullException.class, () -> filter.put(hashes[refused]));
      assertArrayEquals(before, PayloadBuffer.of(filter));
    }
  }

  /** A file of some KiB that asks for a second layer of some GiB. */
  @Test
  void aFileThatWouldGrowWithoutMeasureIsBoundedByWhoeverOpensIt(@TempDir Path folder)
      throws IOException {
    Filter greedy =
        new ScalableProvider()
            .withGrowth(16)
            .create(FilterSpec.of(1_000, 0.01), ThreadMode.CONFINED);
    long[] hashes = hashes(20_000);
    greedy.putAll(hashes, 0, 1_000);
    Path file = folder.resolve("greedy.bloom");
    FilterFiles.save(greedy, file);
    assertTrue(Files.size(file) < 4_096);
    FilterLimits limits = FilterLimits.ofBytes(8_192);
    Filter opened = Bloomery.installed().files().open(file, OpenOptions.shared().within(limits));
    long before = opened.payloadSize();
    FilterFullException full =
        assertThrows(FilterFullException.class, () -> opened.putAll(hashes, 1_000, hashes.length));
    assertTrue(full.getMessage().contains("but may take 8192"), full::getMessage);
    assertEquals(before, opened.payloadSize());
    assertEquals(limits, opened.limits());
  }
}
