package io.bloomery.counting;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.RotatedPatterns;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** What can be told of a filter of blocks from its bits, block by block. */
final class BlockStats {

  private static final int BLOCK = CountingLayout.BLOCK_BITS;

  private BlockStats() {}

  /** Tells the share of hashes of a block that find all their positions in its two words. */
  @FunctionalInterface
  private interface Rate {
    double of(long first, long second);
  }

  /** Returns the rate of blocks in which each position is picked by itself. */
  private static Rate rateOfSingle(int probesPerWord) {
    double[] ofWord = new double[Long.SIZE + 1]; // by how many bits are set
    for (int set = 0; set <= Long.SIZE; set++) {
      ofWord[set] = StrictMath.pow((double) set / Long.SIZE, probesPerWord);
    }
    return (first, second) -> ofWord[Long.bitCount(first)] * ofWord[Long.bitCount(second)];
  }

  /** Returns the rate of blocks in which a key has a pair in each word. */
  private static Rate rateOfPairs(RotatedPatterns pairs) {
    int[] inFirst = new int[pairs.count()];
    int[] inSecond = new int[pairs.count()];
    return (first, second) -> {
      pairs.find(first, inFirst);
      pairs.find(second, inSecond);
      return pairs.rate(inFirst, inSecond);
    };
  }

  /** Returns how many keys a block is estimated to hold, by how many of its bits are set. */
  private static double[] keysOfSingle(int probesPerWord) {
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
