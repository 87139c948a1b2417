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

  /**
   * Returns the false-positive probability after n keys: the k-th power of the expected share of
   * set bits in a slice.
   */
  static double rate(long keys, long sliceWords, int slices) {
    return StrictMath.pow(Sizing.fill(keys, sliceWords, 1), slices);
  }

  /**
   * Returns the layout of the smallest table of slices of equal size that satisfies {@code spec},
   * hash collisions included; among equally small tables, that with the fewest slices.
   *
   * @throws IllegalArgumentException if the table would have more bits than {@link
   *     BitTable#MAX_BITS}
   */
  static TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    double minWords = Double.POSITIVE_INFINITY;
    int slices = 0;
    double before = Double.POSITIVE_INFINITY;
    // Each slice has at least one word.
    for (int k = 1; k <= TableLayout.MAX_PROBES && k < minWords; k++) {
      double bits = k * sliceBits(keys, rate, k);
      if (bits > before && bits * WITHOUT_ROUNDING > minWords * Long.SIZE) {
        // Before rounding to words, the number of bits has a single minimum over k.
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

  // Solves the rate for s, then adjusts s to the least that satisfies the rate: by rounding, and
  // since words are not exactly equally frequent, the solution can be off in either direction.
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
