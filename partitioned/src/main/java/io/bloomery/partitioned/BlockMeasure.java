package io.bloomery.partitioned;

import io.bloomery.FilterStats;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleFunction;

/** What the bits of blocks say. */
final class BlockMeasure {

  private final ToDoubleFunction<long[]> rate;
  private final double[] keys;

  /**
   * Makes a measure.
   *
   * @param rate the share of hashes of a block that are found in its words
   * @param keys how many keys have probably set so many bits of a block, by the number of bits
   */
  BlockMeasure(ToDoubleFunction<long[]> rate, double[] keys) {
    this.rate = rate;
    this.keys = keys;
  }

  /**
   * Measures blocks, given their words by index. The rate is the mean over blocks of each block's
   * own, since full blocks answer yes more often than empty ones make good. The number of keys is
   * the sum of each block's estimate; a block with every bit set counts as if half a bit were
   * clear.
   */
  FilterStats of(LongUnaryOperator words, long blocks) {
    long setBits = 0;
    double rates = 0;
    double sum = 0;
    long[] block = new long[Blocks.WORDS];
    for (long first = 0; first < blocks * Blocks.WORDS; first += Blocks.WORDS) {
      int setInBlock = 0;
      for (int i = 0; i < Blocks.WORDS; i++) {
        block[i] = words.applyAsLong(first + i);
        setInBlock += Long.bitCount(block[i]);
      }
      setBits += setInBlock;
      rates += rate.applyAsDouble(block);
      sum += keys[setInBlock];
    }
    long bits = blocks * Blocks.BLOCK_BITS;
    return new FilterStats(
        bits,
        setBits,
        rates / blocks,
        setBits == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(sum)));
  }
}
