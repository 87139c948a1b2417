package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
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
    FilterProvider provider = new BlockedProvider();
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
      double off = 7.1 * deviation + 0.5 + 0.001 * put;
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
    Filter filter = new BlockedProvider().create(FilterSpec.of(keys, rate), ThreadMode.CONFINED);
    new SplittableRandom(keys).longs((long) times * keys).forEach(filter::put);
    double estimate = (double) filter.stats().approximateKeys().orElseThrow();
    assertEquals(times * keys, estimate, off * times * keys, filter::toString);
  }

  @Property(seed = "66", tries = 100, edgeCases = EdgeCasesMode.NONE)
  void inAFullTableOfPairsTheEstimateSolvesTheExpectedNumberOfClearBits(
      @ForAll @IntRange(min = 4, max = 9) int count, @ForAll @IntRange(min = 1, max = 3) int bits) {
    // All bits are set but of the last word's.
    double keys =
        TwoWordStats.estimator(count).keys(i -> i == count - 1 ? -1L << bits : -1).orElseThrow();
    double clear = Math.pow(1 - 3.0 / Long.SIZE / (count - 1), keys);
    double expected = Long.SIZE * (2 * clear + (count - 2) * clear * clear);
    assertEquals(bits, expected, 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"100", "1000"})
  void fillingTheLastBitOfAWordAddsKeysToTheEstimate(int count) {
    double before = 0;
    for (int clear = 3; clear >= 0; clear--) {
      long word = clear == 0 ? -1 : -1L << clear;
      double keys = TwoWordStats.estimator(count).keys(i -> i == 7 ? word : 0).orElseThrow();
      assertTrue(keys > before, keys + " keys with " + clear + " bits clear");
      before = keys;
    }
  }

  @Property(seed = "43", tries = 300)
  void theRateOfFourWordsIsTheMeanOfWhatEachBlockAnswers(
      @ForAll @IntRange(min = 1, max = 4) int blocks, @ForAll @Size(16) long[] words) {
    BitTable table = table(4 * blocks, words);
    FilterStats stats = new FourWordFilter(new BlockedProvider(), SPEC, table).stats();
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
    TwoWordFilter filter = new TwoWordFilter(new BlockedProvider(), SPEC, table);
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
    FilterStats stats = new BlockedProvider().create(SPEC, ThreadMode.SHARED).stats();
    assertEquals(OptionalLong.of(0), stats.approximateKeys());
    assertEquals(0, stats.falsePositiveRate());
  }

  @Test
  void nothingIsSaidOfTheKeysWhenEveryBitIsSet() {
    long[] full = new long[8];
    Arrays.fill(full, -1);
    BlockedProvider provider = new BlockedProvider();
    for (Filter filter :
        List.of(
            new TwoWordFilter(provider, SPEC, table(8, full)),
            new FourWordFilter(provider, SPEC, table(8, full)))) {
      assertEquals(OptionalLong.empty(), filter.stats().approximateKeys());
      assertEquals(1, filter.stats().falsePositiveRate());
    }
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
    return new FourWordFilter(new BlockedProvider(), SPEC, table(8, words))
        .stats()
        .approximateKeys()
        .orElseThrow();
  }

  @Property(seed = "55", tries = 50)
  void aKeySetsSixBitsInTwoWords(@ForAll long hash) {
    List<FilterSpec> sizes = List.of(FilterSpec.of(1, 0.5), FilterSpec.of(10_000, 0.01));
    for (FilterSpec spec : sizes) {
      Filter filter = new BlockedProvider().create(spec, ThreadMode.SHARED);
      filter.put(hash);
      assertEquals(6, filter.stats().setBits());
    }
  }

  @Property(seed = "57", tries = 50)
  void aKeySetsFourToEightBitsInFourWords(@ForAll long hash) {
    List<FilterSpec> sizes = List.of(FilterSpec.of(1, 1e-3), FilterSpec.of(10_000, 0.0099));
    for (FilterSpec spec : sizes) {
      Filter filter = new BlockedProvider().create(spec, ThreadMode.SHARED);
      filter.put(hash);
      long set = filter.stats().setBits();
      assertTrue(set >= 4 && set <= 8, "set bits " + set);
    }
  }
}
