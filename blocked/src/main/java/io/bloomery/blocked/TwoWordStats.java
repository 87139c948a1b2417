package io.bloomery.blocked;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.internal.RotatedPatterns;
import io.bloomery.internal.WordPairs;
import io.bloomery.internal.WordRange;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

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
    long[] wordsBySetBits = wordsBySetBits(pairs, words);
    OptionalDouble keys = keys(wordsBySetBits, count);
    return FilterStats.of(spec)
        .sizeInBits(count * Long.SIZE)
        .setBits(setBits(wordsBySetBits))
        .falsePositiveRate(pairs.rate(PATTERNS))
        .approximateKeys(
            keys.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(StrictMath.round(keys.getAsDouble())))
        .build();
  }

  private static long[] wordsBySetBits(WordPairs pairs, WordRange words) {
    long[] wordsBySetBits = new long[Long.SIZE + 1]; // all are the second of a pair but one
    long[] outer = new long[1];
    words.copy(0, outer, 1);
    wordsBySetBits[Long.bitCount(outer[0])]++;
    for (int before = 0; before <= Long.SIZE; before++) {
      for (int set = 0; set <= Long.SIZE; set++) {
        wordsBySetBits[set] += pairs.count(before, set);
      }
    }
    return wordsBySetBits;
  }

  private static long setBits(long[] wordsBySetBits) {
    long setBits = 0;
    for (int set = 0; set <= Long.SIZE; set++) {
      setBits += set * wordsBySetBits[set];
    }
    return setBits;
  }

  private static OptionalDouble keys(long[] wordsBySetBits, long count) {
    long clearBits = count * Long.SIZE - setBits(wordsBySetBits);
    if (clearBits == 0) {
      return OptionalDouble.empty();
    }
    double keys = 0;
    for (int set = 0; set <= Long.SIZE; set++) {
      keys += KEYS[set] * wordsBySetBits[set];
    }
    return OptionalDouble.of(
        wordsBySetBits[Long.SIZE] == 0
            ? keys / 2
            : Math.max(keys / 2, keysByClearBits(clearBits, count)));
  }

  /** Returns the estimator of the number of keys in so many words, by which {@link #of} counts. */
  static KeyEstimator estimator(long count) {
    return new KeyEstimator() {
      @Override
      public OptionalDouble keys(LongUnaryOperator words) {
        long[] wordsBySetBits = new long[Long.SIZE + 1];
        for (long i = 0; i < count; i++) {
          wordsBySetBits[Long.bitCount(words.applyAsLong(i))]++;
        }
        return TwoWordStats.keys(wordsBySetBits, count);
      }

      // The mean over the Poisson distributed number of keys in a word. Each key counts in two
      // words, by half; its bits there are independent. The three bits of a key in a word differ.
      @Override
      public double variance(double keys) {
        double inWord = 2 * keys / count;
        double clear = 1 - (double) TwoWordFilter.BITS_PER_WORD / Long.SIZE;
        double bothClear = clear * (1 - (double) TwoWordFilter.BITS_PER_WORD / (Long.SIZE - 1));
        double same = StrictMath.expm1(inWord * (1 / clear - 1)) / Long.SIZE;
        double different =
            StrictMath.expm1(inWord * (bothClear / (clear * clear) - 1))
                * (Long.SIZE - 1)
                / Long.SIZE;
        double perKey = StrictMath.log(clear);
        return Math.max(0, count * (same + different) / (4 * perKey * perKey));
      }
    };
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
