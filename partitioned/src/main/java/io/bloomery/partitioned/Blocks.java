package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.BlockSizing;
import io.bloomery.spi.Sizing;

/**
 * The blocks of a split-block filter: four 64-bit words, where a key sets two bits in each word of
 * one block.
 */
final class Blocks {

  static final int WORDS = 4;
  static final int BLOCK_BITS = WORDS * Long.SIZE;
  static final int BITS_PER_WORD = 2;
  static final int PROBES = WORDS * BITS_PER_WORD;

  /** At this rate blocks take 2.2 times the bits of one table, and below it ever more. */
  static final double LOWEST_RATE = 1e-6;

  private static final long MOST_BLOCKS = BitTable.MAX_BITS / BLOCK_BITS;

  private static final BlockSizing SIZING = new BlockSizing(WORDS, BITS_PER_WORD);

  private Blocks() {}

  /** Returns the rate after n keys. */
  static double rate(long keys, long blocks) {
    return SIZING.rate(keys, blocks);
  }

  /**
   * Finds the fewest blocks that keep {@code spec}, hash collisions included.
   *
   * @throws IllegalArgumentException if the rate is below {@link #LOWEST_RATE}, or if they need
   *     more than {@link BitTable#MAX_BITS}
   */
  static long fewest(FilterSpec spec) {
    if (spec.falsePositiveRate() < LOWEST_RATE) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + LOWEST_RATE
              + " for variant split-block, but was "
              + spec.falsePositiveRate()
              + "; use variant standard, which needs less than half the bits there");
    }
    long keys = spec.expectedKeys();
    long blocks = SIZING.fewestBlocks(keys, spec.falsePositiveRate() - Sizing.collisionRate(keys));
    if (blocks > MOST_BLOCKS) {
      throw Sizing.tooLarge(spec, (double) blocks * BLOCK_BITS);
    }
    return blocks;
  }
}
