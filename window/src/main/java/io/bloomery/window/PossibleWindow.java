package io.bloomery.window;

import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterSpec;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.OptionalDouble;

/** The plan of a window and, if there is none, what to ask for instead. */
final class PossibleWindow {

  private static final double HIGHEST_RATE = 0.5;
  private static final int LOWEST_EXPONENT = -64;
  private static final int STEPS = 40;
  private static final MathContext DIGITS = new MathContext(3, RoundingMode.CEILING);

  private PossibleWindow() {}

  /** Returns the builder of each of the three filters. */
  static <K> FilterBuilder<K> generation(FilterBuilder<K> filters, Extent extent, FilterSpec spec) {
    double rate = extent.rateOfGeneration(spec.falsePositiveRate());
    return filters.expect(extent.keysOfGeneration(rate)).fpp(rate);
  }

  /**
   * Plans a window.
   *
   * @throws IllegalArgumentException if it is not possible; the message names a possible one
   */
  static SlidingPlan plan(FilterBuilder<?> filters, long nanos) {
    // One for a key has what all filters of a variant have in common, and takes some hundred bytes.
    SlidingFilter.checkVariant(unlimited(filters).expect(1).fpp(HIGHEST_RATE).create().filter());
    try {
      return tryPlan(filters, nanos);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "each of the three filters of a window must be possible, for a third of its rate: "
              + String.valueOf(e.getMessage()).split("; ", 2)[0]
              + next(filters, nanos),
          e);
    }
  }

  private static SlidingPlan tryPlan(FilterBuilder<?> filters, long nanos) {
    // The limit is for each of the three filters, not for one with the rate of the window.
    FilterSpec spec = unlimited(filters).plan().spec();
    Extent extent = new Extent(spec.expectedKeys(), nanos);
    return new SlidingPlan(spec, extent.time(), generation(filters, extent, spec).plan());
  }

  private static <K> FilterBuilder<K> unlimited(FilterBuilder<K> filters) {
    return filters.maxBytes(Long.MAX_VALUE);
  }

  private static String next(FilterBuilder<?> filters, long nanos) {
    OptionalDouble lowest = lowestRate(filters, nanos);
    String rate =
        lowest.isPresent()
            ? "ask for a rate of at least " + lowest.getAsDouble()
            : "ask for fewer keys";
    if (!isPossible(unlimited(filters), nanos)) {
      return "; " + rate;
    }
    long bits = tryPlan(unlimited(filters), nanos).generation().sizeInBits();
    return "; allow " + (bits + Byte.SIZE - 1) / Byte.SIZE + " bytes for each, or " + rate;
  }

  /** Returns nearly the lowest rate that is possible with all else as it is. */
  private static OptionalDouble lowestRate(FilterBuilder<?> filters, long nanos) {
    double low = LOWEST_EXPONENT;
    double high = Math.log(HIGHEST_RATE) / Math.log(2);
    if (!isPossible(filters.fpp(HIGHEST_RATE), nanos)) {
      return OptionalDouble.empty();
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (isPossible(filters.fpp(Math.pow(2, middle)), nanos)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalDouble.of(new BigDecimal(Math.pow(2, high)).round(DIGITS).doubleValue());
  }

  private static boolean isPossible(FilterBuilder<?> filters, long nanos) {
    try {
      return tryPlan(filters, nanos).sizeInBits() > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
