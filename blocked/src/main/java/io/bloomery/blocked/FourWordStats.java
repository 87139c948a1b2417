package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.WordRange;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** The statistics of a {@link FourWordFilter}, from its set bits. */
final class FourWordStats {

  private static final double[] KEYS = keysInBlock();

  /** The chance that a key sets a given bit of its block. */
  private static final double PER_KEY =
      1 - StrictMath.pow(1 - 1.0 / Long.SIZE, FourWordFilter.BITS_PER_WORD);

  private static final int RANGE = 256 * Blocks.WORDS;

  private FourWordStats() {}

  /**
   * Returns the statistics of blocks, given their words. The rate is the mean of the rates of the
   * blocks, which is higher than the rate at the mean fill. The number of keys is the sum of the
   * estimates for each block. A block with every bit set counts as if half a bit were clear; in
   * overfull tables, where that is too few, the share of all bits that are clear gives the number.
   */
  static FilterStats of(FilterSpec spec, WordRange words, long blocks) {
    long[] blocksBySetBits = new long[Blocks.BLOCK_BITS + 1];
    double rates = 0; // times 64^8, without rounding
    long[] range = new long[RANGE];
    for (long first = 0, end; first < blocks * Blocks.WORDS; first = end) {
      end = Math.min(first + RANGE, blocks * Blocks.WORDS);
      words.copy(first, range, (int) (end - first));
      for (int block = 0; block < end - first; block += Blocks.WORDS) {
        int inWord0 = Long.bitCount(range[block]);
        int inWord1 = Long.bitCount(range[block + 1]);
        int inWord2 = Long.bitCount(range[block + 2]);
        int inWord3 = Long.bitCount(range[block + 3]);
        double product = inWord0 * inWord1 * inWord2 * inWord3;
        rates += product * product;
        blocksBySetBits[inWord0 + inWord1 + inWord2 + inWord3]++;
      }
    }
    OptionalDouble keys = keys(blocksBySetBits, blocks);
    return FilterStats.of(spec)
        .sizeInBits(blocks * Blocks.BLOCK_BITS)
        .setBits(setBits(blocksBySetBits))
        .falsePositiveRate(rates / 0x1p48 / blocks)
        .approximateKeys(
            keys.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(StrictMath.round(keys.getAsDouble())))
        .build();
  }

  private static long setBits(long[] blocksBySetBits) {
    long setBits = 0;
    for (int set = 0; set < blocksBySetBits.length; set++) {
      setBits += set * blocksBySetBits[set];
    }
    return setBits;
  }

  private static OptionalDouble keys(long[] blocksBySetBits, long blocks) {
    long bits = blocks * Blocks.BLOCK_BITS;
    long setBits = setBits(blocksBySetBits);
    if (setBits == bits) {
      return OptionalDouble.empty();
    }
    double keys = 0;
    for (int set = 0; set < blocksBySetBits.length; set++) {
      keys += KEYS[set] * blocksBySetBits[set];
    }
    return OptionalDouble.of(
        blocksBySetBits[Blocks.BLOCK_BITS] == 0
            ? keys
            : Math.max(keys, OverfullBlocks.keys(bits - setBits, bits, blocks, PER_KEY)));
  }

  /** Returns the estimator of the number of keys in so many blocks, by which {@link #of} counts. */
  static KeyEstimator estimator(long blocks) {
    return new KeyEstimator() {
      @Override
      public OptionalDouble keys(LongUnaryOperator words) {
        long[] blocksBySetBits = new long[Blocks.BLOCK_BITS + 1];
        for (long block = 0; block < blocks; block++) {
          int setInBlock = 0;
          for (long word = block * Blocks.WORDS; word < (block + 1) * Blocks.WORDS; word++) {
            setInBlock += Long.bitCount(words.applyAsLong(word));
          }
          blocksBySetBits[setInBlock]++;
        }
        return FourWordStats.keys(blocksBySetBits, blocks);
      }

      // The mean over the Poisson distributed number of keys in a block; the numbers themselves add
      // up to n and contribute nothing.
      @Override
      public double variance(double keys) {
        double inBlock = keys / blocks;
        double perKey = (double) FourWordFilter.PROBES / Blocks.BLOCK_BITS;
        double beyond = StrictMath.expm1(inBlock * StrictMath.expm1(perKey)) - inBlock * perKey;
        return blocks
            * beyond
            * Blocks.BLOCK_BITS
            / (FourWordFilter.PROBES * FourWordFilter.PROBES);
      }
    };
  }

  private static double[] keysInBlock() {
    double[] keys = new double[Blocks.BLOCK_BITS + 1];
    for (int set = 0; set < keys.length; set++) {
      keys[set] = keysInBlock(set);
    }
    return keys;
  }

  // Solves (63/64)^2i, the share of clear bits after i keys, for i. As the logarithm is curved and
  // fills vary, the mean of that is too large by (1/clear - 1 + ln clear) / (1024 ln(64/63)) keys,
  // which is small for one block, but does not cancel in a sum over blocks.
  private static double keysInBlock(int setBits) {
    double clearBits = Math.max(0.5, Blocks.BLOCK_BITS - setBits);
    double clear = clearBits / Blocks.BLOCK_BITS;
    double perBit = -StrictMath.log1p(-1.0 / Long.SIZE);
    double logClear = StrictMath.log(clear);
    int bitsPerWord = FourWordFilter.BITS_PER_WORD;
    double keys = -logClear / (bitsPerWord * perBit);
    double excess = (1 / clear - 1 + logClear) / (2 * bitsPerWord * Blocks.BLOCK_BITS * perBit);
    return keys - excess;
  }
}
