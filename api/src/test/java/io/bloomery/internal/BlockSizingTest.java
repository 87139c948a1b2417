package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.PoissonDistribution;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockSizingTest {

  private static final BlockSizing FOUR_OF_TWO = new BlockSizing(4, 2);

  private static final int CELLS = 64;

  /** Rates of blocks of 0 to 2,499 keys, from the chances of every number of set bits in a word. */
  private static final double[] EXACT = exactRatesInBlock(2_500);

  // Two throws a key; the chances of x set bits follow from those one throw before, and a query's
  // two bits are both among x of 64 with probability (x/64)^2.
  private static double[] exactRatesInBlock(int max) {
    double[] rates = new double[max];
    double[] chances = new double[CELLS + 1];
    chances[0] = 1;
    for (int keys = 0; keys < max; keys++) {
      double inWord = 0;
      for (int x = 0; x <= CELLS; x++) {
        inWord += chances[x] * x / CELLS * x / CELLS;
      }
      rates[keys] = Math.pow(inWord, 4);
      throwOne(chances);
      throwOne(chances);
    }
    return rates;
  }

  private static void throwOne(double[] chances) {
    for (int x = CELLS; x > 0; x--) {
      chances[x] = chances[x] * x / CELLS + chances[x - 1] * (CELLS - x + 1) / CELLS;
    }
    chances[0] = 0;
  }

  @Test
  void rateInABlockEqualsThatOverEveryNumberOfSetBits() {
    assertEquals(0, FOUR_OF_TWO.rate(0, 1));
    for (int keys = 1; keys < EXACT.length; keys++) {
      assertEquals(EXACT[keys], FOUR_OF_TWO.rate(keys, 1), 1e-12 * EXACT[keys], keys + " keys");
    }
  }

  @Test
  void rateOfOneKeyInOneBlockIsThatOfEqualPairsInFourWords() {
    // Both bits among two set ones: 4/64^2 if the key's bits differ, 1/64^2 if they coincide.
    double inWord = (4 * 63.0 / 64 + 1 * 1.0 / 64) / (64 * 64);
    double exact = Math.pow(inWord, 4);
    assertEquals(exact, FOUR_OF_TWO.rate(1, 1), 1e-12 * exact);
  }

  @ParameterizedTest(name = "{0} keys in {1} blocks")
  @CsvSource({
    "1, 1",
    "30, 1",
    "1300, 1",
    "1, 2",
    "7, 2",
    "10, 3",
    "1000, 41",
    "1000, 251",
    "1000, 100000",
    "100000, 2809",
    "100000, 4093",
    "100000, 25103",
    "100000, 800",
    "100000, 250",
    "100000, 70",
    "100000, 50",
    "100000000, 4092669",
    "100000000, 25102930"
  })
  void rateEqualsTheBinomialSum(int keys, int blocks) {
    BinomialDistribution inBlock = new BinomialDistribution(keys, 1.0 / blocks);
    double sum = 0;
    for (int i = 1; i <= Math.min(keys, EXACT.length - 1); i++) {
      sum += (blocks == 1 ? (i == keys ? 1 : 0) : inBlock.probability(i)) * EXACT[i];
    }
    assertEquals(sum, FOUR_OF_TWO.rate(keys, blocks), 1e-12 * sum);
  }

  @ParameterizedTest(name = "{0} keys, {1} in a block")
  @CsvSource({
    "100000000, 36",
    "10000000000, 36",
    "10000000000, 24.4",
    "10000000000, 4",
    "10000000000, 73",
    "10000000000, 300",
    "1000000000000, 24.4"
  })
  void rateOfManyKeysComesCloseToThePoissonSum(long keys, double inBlock) {
    long blocks = Math.round(keys / inBlock);
    PoissonDistribution poisson = new PoissonDistribution((double) keys / blocks);
    double sum = 0;
    for (int i = 1; i < EXACT.length; i++) {
      sum += poisson.probability(i) * EXACT[i];
    }
    assertEquals(sum, FOUR_OF_TWO.rate(keys, (double) blocks), 1e-3 * sum);
  }

  @ParameterizedTest(name = "rate {0}")
  @CsvSource({"0.05, 7.19", "0.01, 10.48", "0.001, 16.80", "0.0001, 26.20"})
  void bitsForEachKeyAreThoseOfTheory(double rate, double bitsPerKey) {
    for (long keys : new long[] {1_000_000, 100_000_000, 5_000_000_000L}) {
      long blocks = FOUR_OF_TWO.minBlocks(keys, rate);
      assertEquals(bitsPerKey, blocks * 256.0 / keys, 0.005);
    }
  }

  @Test
  void oneBlockLessWouldBreakTheRate() {
    for (long keys : new long[] {1, 2, 10, 100, 1_000, 33_333, 1_000_000, 10_000_000_000L}) {
      for (double rate = 0.9; rate > 1e-6; rate *= 0.61) {
        if (keys > 1_000_000_000 && rate < 0.005) {
          break; // more than one table
        }
        long blocks = FOUR_OF_TWO.minBlocks(keys, rate);
        String what = keys + " keys at " + rate + " in " + blocks;
        assertTrue(FOUR_OF_TWO.rate(keys, (double) blocks) <= rate, what);
        assertTrue(blocks == 1 || FOUR_OF_TWO.rate(keys, blocks - 1.0) > rate, what);
      }
    }
  }

  @Property(seed = "20", tries = 500)
  void rateRisesWithKeysAndFallsWithBlocks(
      @ForAll @LongRange(min = 1, max = 1L << 40) long keys,
      @ForAll @IntRange(min = 1, max = 1 << 29) int blocks) {
    double rate = FOUR_OF_TWO.rate(keys, blocks);
    // Equal up to rounding where every block, or none, answers yes.
    assertTrue(FOUR_OF_TWO.rate(keys + keys / 8 + 1, blocks) >= rate * (1 - 1e-11));
    assertTrue(FOUR_OF_TWO.rate(keys, blocks + blocks / 8 + 1) <= rate * (1 + 1e-11));
    assertTrue(rate > 0 && rate <= 1 + 1e-11);
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(longs = {1L << 20, 1L << 40, 1L << 62, Long.MAX_VALUE})
  void everyAnswerIsYesFarBeyondTheExpectedKeys(long keys) {
    assertEquals(1, FOUR_OF_TWO.rate(keys, 1));
    assertEquals(1, FOUR_OF_TWO.rate(keys, 41), 1e-12);
  }

  @Test
  void noKeysGiveNoFalsePositives() {
    assertEquals(0, FOUR_OF_TWO.rate(0, 1));
    assertEquals(0, FOUR_OF_TWO.rate(0, 1_000));
  }

  /** The bound with two values for each place, and in a small table. */
  @Test
  void placesThatComeUnevenlyRaiseTheRate() {
    long keys = 20L << 29;
    double even = FOUR_OF_TWO.rate(keys, 1L << 29);
    assertEquals(even, FOUR_OF_TWO.pickedByWordProbes(0).rate(keys, 1L << 29));
    // As if half of all blocks had five quarters of their keys, and of their queries, and half had
    // three.
    double five = FOUR_OF_TWO.rate(keys / 4 * 5, 1L << 29);
    double three = FOUR_OF_TWO.rate(keys / 4 * 3, 1L << 29);
    double uneven = FOUR_OF_TWO.pickedByWordProbes(4).rate(keys, 1L << 29);
    assertEquals((5 * five + 3 * three) / 8, uneven, 1e-6 * even);
    assertTrue(uneven > 1.5 * even, uneven + " and " + even);
    double small = FOUR_OF_TWO.rate(20L << 14, 1L << 14);
    assertEquals(small, FOUR_OF_TWO.pickedByWordProbes(4).rate(20L << 14, 1L << 14), 1e-9 * small);
  }

  @ParameterizedTest(name = "{0} keys in {1} blocks")
  @CsvSource({
    "0, 1",
    "1, 1",
    "30, 1",
    "1, 2",
    "7, 2",
    "1000, 41",
    "100000, 99",
    "1000000000000, 1e12"
  })
  void theMeanOfKeysIsTheirNumberForEachBlock(long keys, double blocks) {
    double[] inBlock = new double[BlockSizing.OVERFULL];
    Arrays.setAll(inBlock, i -> i);
    double mean = BlockSizing.mean(inBlock, BlockSizing.OVERFULL, keys, blocks);
    assertEquals(keys / blocks, mean, 1e-12 * keys / blocks);
  }

  @Test
  void theMeanOfOverfullBlocksIsWhatTheyHave() {
    double[] inBlock = new double[BlockSizing.OVERFULL];
    assertEquals(5, BlockSizing.mean(inBlock, 5, BlockSizing.OVERFULL, 1));
    assertEquals(0, BlockSizing.mean(inBlock, 5, BlockSizing.OVERFULL - 1, 1));
    assertEquals(5, BlockSizing.mean(inBlock, 5, 1L << 40, 1_000), 1e-11);
    // Half of all blocks have more keys, or close to it.
    assertEquals(2.5, BlockSizing.mean(inBlock, 5, 1_000_000L * BlockSizing.OVERFULL, 1e6), 0.02);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65})
  void placesOutOfRangeAreRefused(int places) {
    assertThrows(IllegalArgumentException.class, () -> FOUR_OF_TWO.pickedByWordProbes(places));
  }

  @Test
  void unevenPlacesTakeMoreBlocks() {
    long keys = 20L << 28;
    long even = FOUR_OF_TWO.minBlocks(keys, 0.001);
    BlockSizing uneven = FOUR_OF_TWO.pickedByWordProbes(4);
    long blocks = uneven.minBlocks(keys, 0.001);
    assertTrue(blocks > even);
    assertTrue(uneven.rate(keys, (double) blocks) <= 0.001);
    assertTrue(uneven.rate(keys, blocks - 1.0) > 0.001);
  }

  @ParameterizedTest(name = "{0} words of {1} bits")
  @CsvSource({"2, 4", "4, 2", "8, 1", "1, 8"})
  void aSingleBlockHasTheRateOfInclusionAndExclusion(int words, int bits) {
    BlockSizing sizing = new BlockSizing(words, bits);
    for (int keys : new int[] {1, 2, 3, 10, 30, 100, 300}) {
      double expected = Math.pow(wordRate(keys, bits), words);
      assertEquals(expected, sizing.rate(keys, 1), 1e-12 * expected, keys + " keys");
    }
  }

  /**
   * Returns the probability that b positions of a word are all set after n keys set b each: the
   * positions asked are j different ones with a probability by Stirling numbers, and j positions
   * are all set with one by inclusion and exclusion.
   */
  private static double wordRate(int keys, int bits) {
    MathContext exact = new MathContext(60);
    BigDecimal rate = BigDecimal.ZERO;
    for (int j = 1; j <= bits; j++) {
      BigDecimal different = BigDecimal.valueOf(CombinatoricsUtils.stirlingS2(bits, j));
      for (int i = 0; i < j; i++) {
        different = different.multiply(BigDecimal.valueOf(64 - i));
      }
      BigDecimal allSet = BigDecimal.ZERO;
      for (int l = 0; l <= j; l++) {
        BigDecimal clear =
            BigDecimal.valueOf(64 - l)
                .divide(BigDecimal.valueOf(64), exact)
                .pow(keys * bits, exact);
        BigDecimal term =
            clear.multiply(BigDecimal.valueOf(CombinatoricsUtils.binomialCoefficient(j, l)));
        allSet = l % 2 == 0 ? allSet.add(term) : allSet.subtract(term);
      }
      rate = rate.add(different.multiply(allSet));
    }
    return rate.divide(BigDecimal.valueOf(64).pow(bits), exact).doubleValue();
  }
}
