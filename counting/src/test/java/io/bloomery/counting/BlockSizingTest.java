package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the formulas of blocks against others that give the same. */
class BlockSizingTest {

  private static final BlockSizing COUNTING = new BlockSizing(2, 4);
  private static final BlockSizing SPLIT_BLOCK = new BlockSizing(4, 2);

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

  @ParameterizedTest(name = "{0} keys in {1} blocks")
  @CsvSource({
    "1, 2",
    "2, 2",
    "10, 3",
    "100, 9",
    "1000, 88",
    "1000, 1",
    "1000, 750",
    "100000, 8786",
    "100000, 2000",
    "1000000, 80",
    "2000000000, 178000000",
    "2000000000, 1500000000"
  })
  void theRateIsTheBinomialMeanOfTheBlocks(int keys, long blocks) {
    BinomialDistribution load = new BinomialDistribution(null, keys, 1.0 / blocks);
    double expected = 0;
    for (int i = 0; i <= Math.min(keys, 20_000); i++) {
      expected += load.probability(i) * COUNTING.rate(i, 1);
    }
    double rate = COUNTING.rate(keys, blocks);
    // Where mean loads are large the oracle's own densities are good to about ten digits.
    assertEquals(expected, rate, 2e-9 * expected);
  }

  @Test
  void noKeysHaveNoFalsePositives() {
    assertEquals(0, COUNTING.rate(0, 1));
    assertEquals(0, COUNTING.rate(0, 1_000));
  }

  @Test
  void moreKeysThanBlocksCanTellApartAreAllHits() {
    assertEquals(1, COUNTING.rate(1_000_000_000_000L, 1));
    assertEquals(1, COUNTING.rate(1_000_000_000_000L, 1_000), 1e-12);
    assertEquals(1, COUNTING.rate(Long.MAX_VALUE, CountingLayout.MOST_BLOCKS), 1e-12);
  }

  @Test
  void theRateRisesWithKeysAndFallsWithBlocks() {
    for (long blocks = 1; blocks < 1_000_000; blocks = blocks * 3 + 1) {
      for (long keys = 1; keys < 10_000_000; keys *= 7) {
        double rate = COUNTING.rate(keys, blocks);
        assertTrue(rate <= COUNTING.rate(keys + 1, blocks), keys + " keys, " + blocks + " blocks");
        assertTrue(rate >= COUNTING.rate(keys, blocks + 1), keys + " keys, " + blocks + " blocks");
      }
    }
  }

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1, 0.5",
    "1, 1e-6",
    "10, 0.01",
    "100, 1e-4",
    "1000, 0.05",
    "100000, 0.01",
    "1000000, 1e-6",
    "100000000, 0.001",
    "6000000000, 0.01",
    "10000000000, 0.5"
  })
  void oneBlockFewerThanTheSmallestIsTooFew(long keys, double rate) {
    long blocks = COUNTING.smallest(keys, rate, CountingLayout.MOST_BLOCKS);
    assertTrue(COUNTING.rate(keys, blocks) <= rate);
    assertTrue(blocks == 1 || COUNTING.rate(keys, blocks - 1) > rate);
  }

  /** Two bits in each of four words: a Poisson sum, worked out elsewhere to four digits. */
  @ParameterizedTest(name = "{1} bits a key at {0}")
  @CsvSource({"0.05, 7.19", "0.01, 10.48", "0.001, 16.80", "0.0001, 26.20"})
  void splitBlocksHaveTheirKnownSizes(double rate, double bitsPerKey) {
    long keys = 10_000_000;
    long blocks = SPLIT_BLOCK.smallest(keys, rate, keys);
    assertEquals(bitsPerKey, blocks * 256.0 / keys, 0.006 * bitsPerKey);
  }
}
