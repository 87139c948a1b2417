package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatsTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({"1000, 0.01", "1000000, 0.05", "100000, 0.001", "1000000, 0.01"})
  void keysAreEstimatedFromHalfToTwiceTheExpected(int keys, double rate) {
    FilterProvider provider = new PartitionedProvider();
    Filter filter = provider.create(FilterSpec.of(keys, rate), ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(41);
    int put = 0;
    for (int halves : new int[] {1, 2, 4}) {
      for (; put < halves * (long) keys / 2; put++) {
        filter.put(random.nextLong());
      }
      FilterStats stats = filter.stats();
      double bits = (double) stats.sizeInBits();
      int probes = provider.plan(filter.spec()).probes();
      double load = put * (double) probes / bits;
      double deviation = Math.sqrt(bits * (Math.exp(load) - load - 1)) / probes;
      // Seven deviations are a chance of 10^-12, and half a key is rounding.
      double off = 7.1 * deviation + 0.5;
      assertEquals(put, (double) stats.approximateKeys().orElseThrow(), off, put + " keys");
    }
  }

  @Property(seed = "42", tries = 300)
  void statsAreThoseOfEachSliceCountedBitByBit(
      @ForAll @IntRange(min = 17, max = 64) int wordCount,
      @ForAll @IntRange(min = 1, max = 17) int slices,
      @ForAll @Size(64) long[] words) {
    BitTable table = table(wordCount, words);
    int sliceBits = wordCount / slices * 64;
    for (int i = slices * sliceBits; i < wordCount * 64; i++) {
      table.sharedWords()[i / 64] &= ~(1L << i);
    }
    FilterStats stats =
        new PartitionedFilter(
                new PartitionedProvider(),
                SPEC,
                TableLayout.ofBits(table.sizeInBits()).withProbes(slices),
                table)
            .stats();
    double rate = 1;
    long set = 0;
    for (int i = 0; i < slices; i++) {
      long inSlice = countSetBits(table, i * sliceBits, (i + 1) * sliceBits);
      rate *= (double) inSlice / sliceBits;
      set += inSlice;
    }
    assertEquals(set, stats.setBits());
    assertEquals((long) slices * sliceBits, stats.sizeInBits());
    assertEquals(rate, stats.falsePositiveRate(), 1e-12);
  }

  private static BitTable table(int wordCount, long[] words) {
    BitTable table = new BitTable(64L * wordCount, ThreadMode.CONFINED);
    System.arraycopy(words, 0, table.sharedWords(), 0, wordCount);
    return table;
  }

  private static int countSetBits(BitTable table, int from, int to) {
    int count = 0;
    for (int bit = from; bit < to; bit++) {
      count += table.get(bit) ? 1 : 0;
    }
    return count;
  }

  @Test
  void anEmptyFilterHasNoKeysAndNoFalsePositives() {
    FilterStats stats = new PartitionedProvider().create(SPEC, ThreadMode.SHARED).stats();
    assertEquals(OptionalLong.of(0), stats.approximateKeys());
    assertEquals(0, stats.falsePositiveRate());
  }

  @Test
  void nothingIsSaidOfTheKeysWhenEveryBitOfTheSlicesIsSet() {
    long[] full = new long[8];
    Arrays.fill(full, -1);
    full[6] = full[7] = 0; // in no slice
    FilterStats slices =
        new PartitionedFilter(
                new PartitionedProvider(),
                SPEC,
                TableLayout.ofBits(512).withProbes(3),
                table(8, full))
            .stats();
    assertEquals(OptionalLong.empty(), slices.approximateKeys());
    assertEquals(1, slices.falsePositiveRate());
    assertEquals(1, slices.fill());
  }

  @Property(seed = "54", tries = 50)
  void theBitsOfAKeyLieInEverySliceOnce(
      @ForAll @IntRange(min = 1, max = 5_000) int keys,
      @ForAll @IntRange(max = 20) int halvings,
      @ForAll long hash) {
    FilterSpec spec = FilterSpec.of(keys, 0.9 * Math.pow(0.5, halvings));
    Filter filter = new PartitionedProvider().create(spec, ThreadMode.CONFINED);
    filter.put(hash);
    int slices = (int) filter.layout().get("probes");
    long sliceBits = filter.layout().get("bits") / 64 / slices * 64;
    // If one of the k bits were in the slice of another, some slice would be empty and the rate 0.
    assertEquals(slices, filter.stats().setBits());
    double found = Math.pow(1.0 / sliceBits, slices);
    assertEquals(found, filter.stats().falsePositiveRate(), 1e-12 * found);
  }
}
