package io.bloomery.partitioned;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;

/** The size and rate of a filter of k slices of s words each. */
final class SliceSizing {

  private static final long MAX_WORDS = BitTable.MAX_BITS / Long.SIZE;

  private static final double WITHOUT_ROUNDING = 1 - 1e-9;

  private SliceSizing() {}

  /** Returns the rate after n keys: the k-th power of the share of bits that are set in a slice. */
  static double rate(long keys, long sliceWords, int slices) {
    return StrictMath.pow(Sizing.fill(keys, sliceWords, 1), slices);
  }

  /**
   * Finds the smallest table that keeps {@code spec}, hash collisions included, of as many words in
   * each slice; among equally small ones that with the fewest slices.
   *
   * @throws IllegalArgumentException if that is more than {@link BitTable#MAX_BITS}
   */
  static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    double minWords = Double.POSITIVE_INFINITY;
    int slices = 0;
    double before = Double.POSITIVE_INFINITY;
    for (int k = 1; k <= TableLayout.MAX_PROBES; k++) {
      double bits = k * sliceBits(keys, rate, k);
      if (bits > before && bits * WITHOUT_ROUNDING > minWords * Long.SIZE) {
        // Before they are rounded to words, bits first fall with k and then rise.
        break;
      }
      before = bits;
      double words = wordsNeeded(keys, rate, k);
      if (words < minWords) {
        minWords = words;
        slices = k;
      }
    }
    if (minWords > MAX_WORDS) {
      throw TableLayout.tooLarge(spec, minWords * Long.SIZE);
    }
    long bits = ((long) minWords) * Long.SIZE;
    return TableLayout.ofBits(bits).withProbes(slices);
  }

  private static double sliceBits(long keys, double rate, int slices) {
    double fill = StrictMath.pow(rate, 1.0 / slices);
    return 1 / -StrictMath.expm1(StrictMath.log1p(-fill) / keys);
  }

  // The rate solved for s, then moved to where it is kept and one word less would break it:
  // rounding, and words that come unequally often, can leave the solution off either way.
  private static double wordsNeeded(long keys, double rate, int slices) {
    double estimate = StrictMath.ceil(sliceBits(keys, rate, slices) / Long.SIZE);
    if (estimate * slices > MAX_WORDS) {
      return estimate * slices;
    }
    long enough = (long) estimate;
    for (long step = 1; rate(keys, enough, slices) > rate; step *= 2) {
      enough += step;
    }
    long tooFew = enough - 1;
    for (long step = 1; tooFew > 0 && rate(keys, tooFew, slices) <= rate; step *= 2) {
      enough = tooFew;
      tooFew = Math.max(0, tooFew - step);
    }
    while (enough - tooFew > 1) {
      long middle = (tooFew + enough) >>> 1;
      if (rate(keys, middle, slices) <= rate) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return (double) enough * slices;
  }
}
