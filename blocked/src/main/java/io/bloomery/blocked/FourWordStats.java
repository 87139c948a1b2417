package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.WordRange;
import java.util.OptionalLong;

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
    long setBits = 0;
    long fullBlocks = 0;
    double rates = 0; // times 64^8, without rounding
    double keys = 0;
    long[] range = new long[RANGE];
    for (long first = 0, end; first < blocks * Blocks.WORDS; first = end) {
      end = Math.min(first + RANGE, blocks * Blocks.WORDS);
      words.copy(first, range, (int) (end - first));
      for (int block = 0; block < end - first; block += Blocks.WORDS) {
        int inWord0 = Long.bitCount(range[block]);
        int inWord1 = Long.bitCount(range[block + 1]);
        int inWord2 = Long.bitCount(range[block + 2]);
        int inWord3 = Long.bitCount(range[block + 3]);
        int setInBlock = inWord0 + inWord1 + inWord2 + inWord3;
        double product = inWord0 * inWord1 * inWord2 * inWord3;
        setBits += setInBlock;
        rates += product * product;
        keys += KEYS[setInBlock];
        fullBlocks += setInBlock == Blocks.BLOCK_BITS ? 1 : 0;
      }
    }
    long bits = blocks * Blocks.BLOCK_BITS;
    if (fullBlocks > 0) {
      keys = Math.max(keys, OverfullBlocks.keys(bits - setBits, bits, blocks, PER_KEY));
    }
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(rates / 0x1p48 / blocks)
        .approximateKeys(
            setBits == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys)))
        .build();
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
