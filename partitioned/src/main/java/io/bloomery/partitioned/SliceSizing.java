package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Sizing;
import io.bloomery.spi.TableLayout;

/** The size and rate of a filter of k slices of s bits each. */
final class SliceSizing {

  /** A slice of one bit would be full after the first key. */
  static final int FEWEST_SLICE_BITS = 2;

  private static final long MOST_WORDS = BitTable.MAX_BITS / Long.SIZE;

  private SliceSizing() {}

  /** Returns the rate after n keys: {@code (1 - (1 - 1/s)^n)^k}, exactly. */
  static double rate(long keys, long sliceBits, int slices) {
    return Sizing.rate(keys, sliceBits * slices, slices);
  }

  /**
   * Finds the smallest table, in whole words, that keeps {@code spec}, hash collisions included;
   * among equally small ones that with the fewest slices.
   *
   * @throws IllegalArgumentException if that is more than {@link BitTable#MAX_BITS}
   */
  static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    double fewestWords = Double.POSITIVE_INFINITY;
    int slices = 0;
    for (int k = 1; k <= TableLayout.MAX_PROBES; k++) {
      double words = wordsNeeded(keys, rate, k);
      if (words < fewestWords) {
        fewestWords = words;
        slices = k;
      }
    }
    if (fewestWords > MOST_WORDS) {
      throw Sizing.tooLarge(spec, fewestWords * Long.SIZE);
    }
    long bits = ((long) fewestWords) * Long.SIZE;
    return new TableLayout(bits, slices);
  }

  // The rate solved for s, then moved to where it is kept and one word less would break it:
  // rounding can leave the solution a word off either way.
  private static double wordsNeeded(long keys, double rate, int slices) {
    double fill = StrictMath.pow(rate, 1.0 / slices);
    double sliceBits = StrictMath.ceil(1 / -StrictMath.expm1(StrictMath.log1p(-fill) / keys));
    double estimate = StrictMath.ceil(slices * sliceBits / Long.SIZE);
    if (estimate > MOST_WORDS) {
      return estimate;
    }
    long words = (long) estimate;
    while (words > 1 && keeps(rate, keys, words - 1, slices)) {
      words--;
    }
    while (!keeps(rate, keys, words, slices)) {
      words++;
    }
    return words;
  }

  private static boolean keeps(double rate, long keys, long words, int slices) {
    long sliceBits = PartitionedProvider.sliceBits(words * Long.SIZE, slices);
    return sliceBits >= FEWEST_SLICE_BITS && rate(keys, sliceBits, slices) <= rate;
  }
}
