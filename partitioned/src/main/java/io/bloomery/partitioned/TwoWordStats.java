package io.bloomery.partitioned;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.RotatedPatterns;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** The statistics of a {@link TwoWordFilter}, from its set bits. */
final class TwoWordStats {

  private static final RotatedPatterns PATTERNS = TwoWordPatterns.rotated();

  private static final double[] KEYS = PATTERNS.keysByBits(1);

  private TwoWordStats() {}

  /**
   * Returns the statistics of words, given by index. The rate is the mean of the rates of the
   * pairs, which is higher than the rate at the mean fill. The number of keys is half the sum of
   * the estimates for each word, since each key is in two words; a word with every bit set counts
   * as if half a bit were clear.
   */
  static FilterStats of(FilterSpec spec, LongUnaryOperator words, long count) {
    int[] before = new int[PATTERNS.count()];
    int[] here = new int[PATTERNS.count()];
    long setBits = 0;
    double rates = 0;
    double keys = 0;
    for (long i = 0; i < count; i++) {
      long word = words.applyAsLong(i);
      int setInWord = Long.bitCount(word);
      setBits += setInWord;
      keys += KEYS[setInWord];
      PATTERNS.find(word, here);
      if (i > 0) {
        rates += PATTERNS.rate(before, here);
      }
      int[] free = before;
      before = here;
      here = free;
    }
    long bits = count * Long.SIZE;
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(rates / (count - 1))
        .approximateKeys(
            setBits == bits ? OptionalLong.empty() : OptionalLong.of(StrictMath.round(keys / 2)))
        .build();
  }
}
