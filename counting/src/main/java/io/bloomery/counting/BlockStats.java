package io.bloomery.counting;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.RotatedPatterns;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** The statistics of a blocked filter, computed from the bits of its blocks. */
final class BlockStats {

  private static final int BLOCK = CountingLayout.BLOCK_BITS;

  private BlockStats() {}

  /**
   * The false positive rate of a block: the share of hashes whose positions are all set in its
   * words.
   */
  @FunctionalInterface
  private interface Rate {
    double of(long first, long second);
  }

  /** Returns the rate of blocks whose positions are selected independently. */
  private static Rate rateOfSingle(int probesPerWord) {
    double[] ofWord = new double[Long.SIZE + 1]; // by the number of set bits
    for (int set = 0; set <= Long.SIZE; set++) {
      ofWord[set] = StrictMath.pow((double) set / Long.SIZE, probesPerWord);
    }
    return (first, second) -> ofWord[Long.bitCount(first)] * ofWord[Long.bitCount(second)];
  }

  /** Returns the rate of blocks with a pair in each word. */
  private static Rate rateOfPairs(RotatedPatterns pairs) {
    int[] inFirst = new int[pairs.count()];
    int[] inSecond = new int[pairs.count()];
    return (first, second) -> {
      pairs.find(first, inFirst);
      pairs.find(second, inSecond);
      return pairs.rate(inFirst, inSecond);
    };
  }

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
  static FilterStats of(FilterSpec spec, LongUnaryOperator present, CountingLayout layout) {
    int probesPerWord = layout.probesPerWord();
    if (probesPerWord == BlockProbes.PAIR) {
      RotatedPatterns pairs = Pairs.rotated();
      double[] blockKeys = pairs.keysByBits(CountingLayout.BLOCK_WORDS);
      double perKey = (double) probesPerWord / Long.SIZE;
      return of(spec, present, layout, rateOfPairs(pairs), blockKeys, perKey);
    }
    double[] blockKeys = keysOfSingle(probesPerWord);
    double perKey = 1 - StrictMath.pow(1 - 1.0 / Long.SIZE, probesPerWord);
    return of(spec, present, layout, rateOfSingle(probesPerWord), blockKeys, perKey);
  }

  private static FilterStats of(
      FilterSpec spec,
      LongUnaryOperator present,
      CountingLayout layout,
      Rate rate,
      double[] blockKeys,
      double perKey) {
    long words = layout.bits() / Long.SIZE;
    long set = 0;
    double rates = 0;
    double keys = 0;
    boolean isOverfull = false;
    for (long i = 0; i < words; i += 2) {
      long first = present.applyAsLong(i);
      long second = present.applyAsLong(i + 1);
      int setHere = Long.bitCount(first) + Long.bitCount(second);
      set += setHere;
      rates += rate.of(first, second);
      keys += blockKeys[setHere];
      isOverfull |= setHere == BLOCK;
    }
    long bits = layout.bits();
    if (isOverfull) {
      keys = Math.max(keys, OverfullBlocks.keys(bits - set, bits, layout.blocks(), perKey));
    }
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(set)
        .falsePositiveRate(rates / layout.blocks())
        .approximateKeys(
            set == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)))
        .build();
  }
}
