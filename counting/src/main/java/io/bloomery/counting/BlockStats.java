package io.bloomery.counting;

import io.bloomery.FilterStats;
import java.util.OptionalLong;

/** What can be told of a filter of blocks from its bits, block by block. */
final class BlockStats {

  private static final int BLOCK = CountingLayout.BLOCK_BITS;

  // By the number of set bits: the share of hashes that find a word's four bits set.
  private static final double[] WORD_RATE = new double[Long.SIZE + 1];

  // By the number of set bits: how many keys a block is estimated to hold.
  private static final double[] BLOCK_KEYS = new double[BLOCK + 1];

  static {
    for (int set = 0; set <= Long.SIZE; set++) {
      WORD_RATE[set] = StrictMath.pow((double) set / Long.SIZE, CountingLayout.PROBES_PER_WORD);
    }
    for (int set = 0; set <= BLOCK; set++) {
      BLOCK_KEYS[set] = keys(set);
    }
  }

  private BlockStats() {}

  /**
   * Estimates the keys in a block. Its clear bits Z fall by (1 - 1/64)^4 with each key, so that
   * there were about {@code c / (4 ln(64/63))} for {@code c = -ln(Z/128)}. The logarithm of a
   * varying number is too low on average, by half its relative variance {@code (e^c - 1 - c) /
   * 128}; that would add up over the blocks and is taken off. A full block counts as if half a bit
   * were clear.
   */
  private static double keys(int set) {
    double clear = Math.max(BLOCK - set, 0.5) / BLOCK;
    double c = -StrictMath.log(clear);
    double bias = (1 / clear - 1 - c) / (2 * BLOCK);
    double perKey = -StrictMath.log1p(-1.0 / Long.SIZE) * CountingLayout.PROBES_PER_WORD;
    return (c - bias) / perKey;
  }

  /** Measures the plane of two words a block that queries look at. */
  static FilterStats of(long[] present) {
    long set = 0;
    double rates = 0;
    double keys = 0;
    for (int i = 0; i < present.length; i += 2) {
      int first = Long.bitCount(present[i]);
      int second = Long.bitCount(present[i + 1]);
      set += first + second;
      rates += WORD_RATE[first] * WORD_RATE[second];
      keys += BLOCK_KEYS[first + second];
    }
    int blocks = present.length / 2;
    long bits = (long) blocks * BLOCK;
    return new FilterStats(
        bits,
        set,
        rates / blocks,
        set == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)));
  }
}
