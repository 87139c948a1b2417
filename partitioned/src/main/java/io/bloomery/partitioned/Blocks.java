package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.BlockSizing;
import io.bloomery.spi.Sizing;
import io.bloomery.spi.TableLayout;

/**
 * The blocks of a split-block filter: four 64-bit words. A key sets three bits in each of two of
 * them, or two bits in all four, whichever is better at the rate.
 */
final class Blocks {

  static final int WORDS = 4;
  static final int BLOCK_BITS = WORDS * Long.SIZE;

  /**
   * From this rate up, two words take no more bits than four and two thirds of the time. Below it
   * they take more: 3 % at 0.5 %.
   */
  static final double LOWEST_RATE_OF_TWO_WORDS = 0.01;

  /** At this rate blocks take 2.2 times the bits of one table, and below it ever more. */
  static final double LOWEST_RATE = 1e-6;

  private static final long MOST_BLOCKS = BitTable.MAX_BITS / BLOCK_BITS;

  private Blocks() {}

  /** Returns whether a key of a layout with so many probes has bits in two words only. */
  static boolean isOfTwoWords(int probes) {
    return probes == TwoWordFilter.PROBES;
  }

  private static BlockSizing sizing(int probes) {
    return isOfTwoWords(probes) ? TwoWordFilter.SIZING : FourWordFilter.SIZING;
  }

  /** Returns the rate after n keys. */
  static double rate(long keys, TableLayout layout) {
    return sizing(layout.probes()).rate(keys, layout.bits() / BLOCK_BITS);
  }

  /**
   * Finds the fewest blocks that keep {@code spec}, hash collisions included.
   *
   * @throws IllegalArgumentException if the rate is below {@link #LOWEST_RATE}, or if they need
   *     more than {@link BitTable#MAX_BITS}
   */
  static TableLayout fewest(FilterSpec spec) {
    double rate = spec.falsePositiveRate();
    if (rate < LOWEST_RATE) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + LOWEST_RATE
              + " for variant split-block, but was "
              + rate
              + "; use variant standard, which needs less than half the bits there");
    }
    int probes = rate < LOWEST_RATE_OF_TWO_WORDS ? FourWordFilter.PROBES : TwoWordFilter.PROBES;
    long keys = spec.expectedKeys();
    long blocks = sizing(probes).fewestBlocks(keys, rate - Sizing.collisionRate(keys));
    if (blocks > MOST_BLOCKS) {
      throw Sizing.tooLarge(spec, (double) blocks * BLOCK_BITS);
    }
    return new TableLayout(blocks * BLOCK_BITS, probes);
  }
}
