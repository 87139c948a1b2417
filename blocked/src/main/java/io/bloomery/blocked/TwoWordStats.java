package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.RotatedPatterns;
import io.bloomery.internal.WordPairs;
import io.bloomery.internal.WordRange;
import java.util.OptionalLong;

/** The statistics of a {@link TwoWordFilter}, from its set bits. */
final class TwoWordStats {

  private static final RotatedPatterns PATTERNS = TwoWordPatterns.rotated();

  private static final double[] KEYS = PATTERNS.keysByBits(1);

  private TwoWordStats() {}

  /**
   * Returns the statistics of words. The rate is the mean of the rates of the pairs, which is
   * higher than the rate at the mean fill. The number of keys is half the sum of the estimates for
   * each word, since each key is in two words. A word with every bit set counts as if half a bit
   * were clear; in overfull tables, where that is too few, the share of all bits that are clear
   * gives the number.
   */
  static FilterStats of(FilterSpec spec, WordRange words, long count) {
    WordPairs pairs = new WordPairs(words, count, 1);
    long[] wordsBySetBits = new long[Long.SIZE + 1]; // all are the second of a pair but one
    long[] outer = new long[1];
    words.copy(0, outer, 1);
    wordsBySetBits[Long.bitCount(outer[0])]++;
    for (int before = 0; before <= Long.SIZE; before++) {
      for (int set = 0; set <= Long.SIZE; set++) {
        wordsBySetBits[set] += pairs.count(before, set);
      }
    }
    long setBits = 0;
    double keys = 0;
    for (int set = 0; set <= Long.SIZE; set++) {
      setBits += set * wordsBySetBits[set];
      keys += KEYS[set] * wordsBySetBits[set];
    }
    long bits = count * Long.SIZE;
    if (wordsBySetBits[Long.SIZE] > 0) {
      keys = Math.max(keys, 2 * keysByClearBits(bits - setBits, count));
    }
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(pairs.rate(PATTERNS))
        .approximateKeys(
            setBits == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys / 2)))
        .build();
  }

  // With c the chance that a bit of an outer word, which has one pair, is clear after n keys, that
  // of
  // an inner word, which has two, is c^2. Solves 2 c + (words - 2) c^2 = 64ths of all clear bits
  // for
  // c, and c = (1 - 3/64/pairs)^n for n.
  private static double keysByClearBits(long clearBits, long words) {
    double inner = words - 2;
    double clear = (double) clearBits / Long.SIZE;
    double outer = clear / (1 + StrictMath.sqrt(1 + inner * clear));
    double perKey = (double) TwoWordFilter.BITS_PER_WORD / Long.SIZE / (words - 1);
    return StrictMath.log(outer) / StrictMath.log1p(-perKey);
  }
}
