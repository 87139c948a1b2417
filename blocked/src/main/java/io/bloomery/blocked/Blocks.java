package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;

/**
 * The choice of a blocked filter's block form, and its sizes: two 64-bit words in which a key sets
 * three bits each, or four words in which it sets two bits each, whichever is better at the rate.
 * Blocks of two words overlap, those of four do not.
 */
final class Blocks {
  // decisions.md#at-rates-of-1--and-more-a-key-has-three-bits-in-each-of-two-neighbouring-words-below-two-in-each-of-four

  /** The number of words of a block in the form of four words. */
  static final int WORDS = 4;

  static final int BLOCK_BITS = WORDS * Long.SIZE;

  /**
   * The lowest rate for blocks of two words: from this rate up they take no more bits than blocks
   * of four, and two thirds of the time; below it they take more, 3 % at 0.5 %.
   */
  static final double LOWEST_RATE_OF_TWO_WORDS = 0.01;

  /**
   * The lowest rate of a blocked filter. It then takes 2.2 times the bits of a standard filter; the
   * ratio rises without bound below.
   */
  static final double LOWEST_RATE = 1e-6;

  private Blocks() {}

  /** Returns whether a layout with this number of probes has blocks of two words. */
  static boolean isOfTwoWords(int probes) {
    return probes == TwoWordFilter.PROBES;
  }

  /** Returns the false-positive probability after insertion of {@code keys} distinct keys. */
  static double rate(long keys, TableLayout layout) {
    return isOfTwoWords(layout.probes())
        ? TwoWordSizing.rate(keys, layout.bits() / Long.SIZE)
        : FourWordFilter.SIZING.rate(keys, (double) layout.bits() / BLOCK_BITS);
  }

  /**
   * Returns the layout with the fewest bits that satisfies {@code spec}, hash collisions included.
   *
   * @throws IllegalArgumentException if the rate is below {@link #LOWEST_RATE}, or the table would
   *     have more bits than {@link BitTable#MAX_BITS}
   */
  static TableLayout smallest(FilterSpec spec) {
    double rate = spec.falsePositiveRate();
    if (rate < LOWEST_RATE) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + LOWEST_RATE
              + " for variant blocked, but was "
              + rate
              + "; use variant standard, which needs less than half the bits there");
    }
    long keys = spec.expectedKeys();
    double ofBlocks = rate - Sizing.collisionRate(keys);
    return rate < LOWEST_RATE_OF_TWO_WORDS
        ? layout(
            spec, FourWordFilter.SIZING.minBlocks(keys, ofBlocks) * WORDS, FourWordFilter.PROBES)
        : layout(spec, TwoWordSizing.minWords(keys, ofBlocks), TwoWordFilter.PROBES);
  }

  private static TableLayout layout(FilterSpec spec, long words, int probes) {
    if (words > BitTable.MAX_BITS / Long.SIZE) {
      throw TableLayout.tooLarge(spec, (double) words * Long.SIZE);
    }
    return TableLayout.ofBits(words * Long.SIZE).withProbes(probes);
  }
}
