package io.bloomery.counting;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.RotatedPatterns;
import io.bloomery.internal.WordPairs;
import io.bloomery.internal.WordRange;
import java.util.OptionalLong;

/** The statistics of a blocked filter, computed from the bits of its blocks. */
final class BlockStats {

  private static final int BLOCK = CountingLayout.BLOCK_BITS;

  private static final RotatedPatterns PAIRS = Pairs.rotated();

  private static final double[] KEYS_OF_PAIRS = PAIRS.keysByBits(CountingLayout.BLOCK_WORDS);

  private BlockStats() {}

  /** Returns the estimated number of keys in a block, by the number of its set bits. */
  private static double[] keysOfSingle(int probesPerWord) {
    double[] keys = new double[BLOCK + 1];
    for (int set = 0; set <= BLOCK; set++) {
      keys[set] = keys(set, probesPerWord);
    }
    return keys;
  }

  /**
   * Estimates the number of keys in a block. Each key with p probes in a word multiplies the
   * expected number of clear bits Z by (1 - 1/64)^p, which gives the estimate {@code c / (p
   * ln(64/63))} with {@code c = -ln(Z/128)}. The logarithm of a random variable is too low on
   * average, by half its relative variance {@code (e^c - 1 - c) / 128}; this bias, which would add
   * up over the blocks, is subtracted. A full block counts as if half a bit were clear.
   */
  private static double keys(int set, int probesPerWord) {
    double clear = Math.max(BLOCK - set, 0.5) / BLOCK;
    double c = -StrictMath.log(clear);
    double bias = (1 / clear - 1 - c) / (2 * BLOCK);
    double perKey = -StrictMath.log1p(-1.0 / Long.SIZE) * probesPerWord;
    return (c - bias) / perKey;
  }

  /** Computes the statistics of a filter from the words that queries read, two for each block. */
  static FilterStats of(FilterSpec spec, WordRange present, CountingLayout layout) {
    int probesPerWord = layout.probesPerWord();
    long bits = layout.bits();
    WordPairs blocks = new WordPairs(present, bits / Long.SIZE, CountingLayout.BLOCK_WORDS);
    if (probesPerWord == BlockProbes.PAIR) {
      double perKey = (double) probesPerWord / Long.SIZE;
      return of(spec, blocks, layout, blocks.rate(PAIRS), KEYS_OF_PAIRS, perKey);
    }
    double rates = 0;
    for (int first = 1; first <= Long.SIZE; first++) {
      for (int second = 1; second <= Long.SIZE; second++) {
        long count = blocks.count(first, second);
        if (count > 0) { // the power is slow, and small filters have few of the 4,096 pairs
          double both = (double) first * second / (Long.SIZE * Long.SIZE);
          rates += count * StrictMath.pow(both, probesPerWord);
        }
      }
    }
    double perKey = 1 - StrictMath.pow(1 - 1.0 / Long.SIZE, probesPerWord);
    double[] blockKeys = keysOfSingle(probesPerWord);
    return of(spec, blocks, layout, rates / layout.blocks(), blockKeys, perKey);
  }

  private static FilterStats of(
      FilterSpec spec,
      WordPairs blocks,
      CountingLayout layout,
      double rate,
      double[] blockKeys,
      double perKey) {
    long set = 0;
    double keys = 0;
    for (int first = 0; first <= Long.SIZE; first++) {
      for (int second = 0; second <= Long.SIZE; second++) {
        long count = blocks.count(first, second);
        set += count * (first + second);
        keys += count * blockKeys[first + second];
      }
    }
    long bits = layout.bits();
    if (blocks.count(Long.SIZE, Long.SIZE) > 0) {
      keys = Math.max(keys, OverfullBlocks.keys(bits - set, bits, layout.blocks(), perKey));
    }
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(set)
        .falsePositiveRate(rate)
        .approximateKeys(
            set == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)))
        .build();
  }
}
