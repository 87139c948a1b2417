package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StatsTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);

  static Stream<Arguments> filters() {
    return Stream.of(new PartitionedProvider(), new SplitBlockProvider())
        .flatMap(
            provider ->
                Stream.of(
                    Arguments.of(provider, 1_000, 0.01),
                    Arguments.of(provider, 1_000_000, 0.05),
                    Arguments.of(provider, 100_000, 0.001),
                    Arguments.of(provider, 1_000_000, 0.01)));
  }

  @ParameterizedTest(name = "{0}, {1} keys at {2}")
  @MethodSource("filters")
  void keysAreEstimatedFromHalfToTwiceTheExpected(FilterProvider provider, int keys, double rate) {
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
      // Seven deviations are a chance of 10^-12. Half a key is rounding, and 0.1 % is what the
      // estimate of a nearly full block may be off on average.
      double off =
          7.1 * deviation + 0.5 + (provider instanceof SplitBlockProvider ? 0.001 * put : 0);
      assertEquals(put, (double) stats.approximateKeys().orElseThrow(), off, put + " keys");
    }
  }

  /**
   * But for a rate of 0.5 many words or blocks have every bit set; of the small tables few bits are
   * clear.
   */
  @ParameterizedTest
  @CsvSource({
    "99124, 0.5, 1, 0.05",
    "99124, 0.9, 1, 0.05",
    "99124, 0.99, 1, 0.05",
    "99124, 0.993, 1, 0.05",
    "99124, 0.01, 7, 0.05",
    "99124, 0.005, 8, 0.05",
    "99124, 0.002, 9, 0.05",
    "1000, 0.9, 1, 0.3",
    "1000, 0.01, 7, 0.3",
    "1000, 0.005, 8, 0.3"
  })
  void keysOfOverfullBlocksAreEstimated(int keys, double rate, int times, double off) {
    Filter filter = new SplitBlockProvider().create(FilterSpec.of(keys, rate), ThreadMode.CONFINED);
    new SplittableRandom(keys).longs((long) times * keys).forEach(filter::put);
    double estimate = (double) filter.stats().approximateKeys().orElseThrow();
    assertEquals(times * keys, estimate, off * times * keys, filter::toString);
  }

  @Property(seed = "42", tries = 300)
  void partitionedStatsAreThoseOfEachSliceCountedBitByBit(
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

  @Property(seed = "43", tries = 300)
  void theRateOfFourWordsIsTheMeanOfWhatEachBlockAnswers(
      @ForAll @IntRange(min = 1, max = 4) int blocks, @ForAll @Size(16) long[] words) {
    BitTable table = table(4 * blocks, words);
    FilterStats stats = new FourWordFilter(new SplitBlockProvider(), SPEC, table).stats();
    double mean = 0;
    for (int b = 0; b < blocks; b++) {
      double rate = 1;
      for (int j = 4 * b; j < 4 * b + 4; j++) {
        rate *= Math.pow(countSetBits(table, 64 * j, 64 * j + 64) / 64.0, 2);
      }
      mean += rate / blocks;
    }
    assertEquals(countSetBits(table, 0, 256 * blocks), stats.setBits());
    assertEquals(256L * blocks, stats.sizeInBits());
    assertEquals(mean, stats.falsePositiveRate(), 1e-12);
  }

  @Property(seed = "44", tries = 30)
  void theRateOfTwoWordsIsTheShareOfAllPatternsThatAreFound(@ForAll @Size(5) long[] words) {
    for (int i = 0; i < 5; i++) {
      words[i] |= words[4 - i]; // so that some are
    }
    BitTable table = table(5, words);
    TwoWordFilter filter = new TwoWordFilter(new SplitBlockProvider(), SPEC, table);
    double rate = 0;
    for (int block = 0; block < 4; block++) {
      for (long pattern = 0; pattern < 64; pattern++) {
        double ofPattern = 1;
        for (long word : new long[] {words[block], words[block + 1]}) {
          int found = 0;
          for (long rotation = 0; rotation < 64; rotation++) {
            long mask = TwoWordFilter.secondMask((pattern << 58) | (rotation << 38));
            found += (mask & ~word) == 0 ? 1 : 0;
          }
          ofPattern *= found / 64.0;
        }
        rate += ofPattern / 64 / 4;
      }
    }
    assertEquals(rate, filter.stats().falsePositiveRate(), 1e-12);
    assertEquals(countSetBits(table, 0, 320), filter.stats().setBits());
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
    for (FilterProvider provider :
        new FilterProvider[] {new PartitionedProvider(), new SplitBlockProvider()}) {
      FilterStats stats = provider.create(SPEC, ThreadMode.SHARED).stats();
      assertEquals(OptionalLong.of(0), stats.approximateKeys());
      assertEquals(0, stats.falsePositiveRate());
    }
  }

  @Test
  void nothingIsSaidOfTheKeysWhenEveryBitIsSet() {
    long[] full = new long[8];
    Arrays.fill(full, -1);
    SplitBlockProvider provider = new SplitBlockProvider();
    for (Filter filter :
        List.of(
            new TwoWordFilter(provider, SPEC, table(8, full)),
            new FourWordFilter(provider, SPEC, table(8, full)))) {
      assertEquals(OptionalLong.empty(), filter.stats().approximateKeys());
      assertEquals(1, filter.stats().falsePositiveRate());
    }
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

  @Test
  void aFullBlockCountsForMoreKeysThanOneWithABitClearAndSpoilsNothingElse() {
    long[] words = new long[8];
    Arrays.fill(words, 0, 4, -1);
    long full = keysOf(words);
    words[0] = -2;
    long almostFull = keysOf(words);
    assertEquals(167, full);
    assertTrue(almostFull < full && almostFull > 150, "keys " + almostFull);
  }

  private static long keysOf(long[] words) {
    return new FourWordFilter(new SplitBlockProvider(), SPEC, table(8, words))
        .stats()
        .approximateKeys()
        .orElseThrow();
  }
}
