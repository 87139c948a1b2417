package io.bloomery.counting;

import io.bloomery.FilterStats;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** What can be told of a filter of blocks from its bits, block by block. */
final class BlockStats {

  private static final int BLOCK = CountingLayout.BLOCK_BITS;

  private BlockStats() {}

  /** Returns the share of hashes that find a word's bits set, by how many are. */
  private static double[] wordRates(int probesPerWord) {
    double[] rates = new double[Long.SIZE + 1];
    for (int set = 0; set <= Long.SIZE; set++) {
      rates[set] = StrictMath.pow((double) set / Long.SIZE, probesPerWord);
    }
    return rates;
  }

  /** Returns how many keys a block is estimated to hold, by how many of its bits are set. */
  private static double[] blockKeys(int probesPerWord) {
    double[] keys = new double[BLOCK + 1];
    for (int set = 0; set <= BLOCK; set++) {
      keys[set] = keys(set, probesPerWord);
    }
    return keys;
  }

  /**
   * Estimates the keys in a block. Its clear bits Z fall by (1 - 1/64)^p with each key that has p
   * probes in a word, so that there were about {@code c / (p ln(64/63))} for {@code c =
   * -ln(Z/128)}. The logarithm of a varying number is too low on average, by half its relative
   * variance {@code (e^c - 1 - c) / 128}; that would add up over the blocks and is taken off. A
   * full block counts as if half a bit were clear.
   */
  private static double keys(int set, int probesPerWord) {
    double clear = Math.max(BLOCK - set, 0.5) / BLOCK;
    double c = -StrictMath.log(clear);
    double bias = (1 / clear - 1 - c) / (2 * BLOCK);
    double perKey = -StrictMath.log1p(-1.0 / Long.SIZE) * probesPerWord;
    return (c - bias) / perKey;
  }

  /** Measures the plane of two words a block that queries look at, given its words by index. */
  static FilterStats of(LongUnaryOperator present, CountingLayout layout) {
    double[] wordRates = wordRates(layout.probesPerWord());
    double[] blockKeys = blockKeys(layout.probesPerWord());
    long words = layout.bits() / Long.SIZE;
    long set = 0;
    double rates = 0;
    double keys = 0;
    for (long i = 0; i < words; i += 2) {
      int first = Long.bitCount(present.applyAsLong(i));
      int second = Long.bitCount(present.applyAsLong(i + 1));
      set += first + second;
      rates += wordRates[first] * wordRates[second];
      keys += blockKeys[first + second];
    }
    long bits = layout.bits();
    return new FilterStats(
        bits,
        set,
        rates / layout.blocks(),
        set == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)));
  }
}
