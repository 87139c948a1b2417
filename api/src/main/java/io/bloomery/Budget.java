package io.bloomery;

import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Planning the other way round: what a given size can do. */
final class Budget {

  private Budget() {}

  static FilterPlan within(FilterProvider provider, FilterSpec spec, double maxBitsPerKey) {
    if (!(maxBitsPerKey > 0)) {
      throw new IllegalArgumentException(
          "bits a key must be more than 0, but was " + maxBitsPerKey);
    }
    FilterPlan plan = provider.plan(spec);
    if (plan.bitsPerKey() <= maxBitsPerKey) {
      return plan;
    }
    long bits = (long) (maxBitsPerKey * spec.expectedKeys());
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%d keys at a rate of %s must have %.2f bits each in a %s filter, but %s are allowed;"
                + " allow more, or a higher rate: %s",
            spec.expectedKeys(),
            spec.falsePositiveRate(),
            plan.bitsPerKey(),
            provider.variant(),
            maxBitsPerKey,
            rateWithin(provider, spec.expectedKeys(), bits)));
  }

  private static String rateWithin(FilterProvider provider, long keys, long bits) {
    try {
      double rate = lowestRate(provider, keys, bits).spec().falsePositiveRate();
      return String.format(Locale.ROOT, "so many give %.3g", rate);
    } catch (IllegalArgumentException e) {
      return "so many give none";
    }
  }

  static FilterPlan lowestRate(FilterProvider provider, long keys, long sizeInBits) {
    // The bits of positive doubles are in the order of their values.
    long highest = Double.doubleToRawLongBits(Math.nextDown(1.0));
    long lowest = Double.doubleToRawLongBits(FilterSpec.lowestRate(keys));
    LongFunction<FilterSpec> spec = rate -> new FilterSpec(keys, Double.longBitsToDouble(rate));
    return smallestThatFits(provider, sizeInBits, lowest, highest, spec)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    tooSmall(provider, sizeInBits, keys + " keys at any rate")));
  }

  static FilterPlan maxKeys(FilterProvider provider, double rate, long sizeInBits) {
    long max = (long) (rate / FilterSpec.lowestRate(1));
    LongFunction<FilterSpec> spec = fewer -> new FilterSpec(max - fewer, rate);
    return smallestThatFits(provider, sizeInBits, 0, max - 1, spec)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    tooSmall(provider, sizeInBits, "one key at a rate of " + rate)));
  }

  /** Finds the least number whose spec has a plan within the size; sizes fall as it rises. */
  private static Optional<FilterPlan> smallestThatFits(
      FilterProvider provider, long sizeInBits, long from, long to, LongFunction<FilterSpec> spec) {
    Optional<FilterPlan> best = Optional.empty();
    long low = from;
    long high = to;
    while (low <= high) {
      long middle = low + (high - low) / 2;
      Optional<FilterPlan> plan = planWithin(provider, () -> spec.apply(middle), sizeInBits);
      if (plan.isPresent()) {
        best = plan;
        high = middle - 1;
      } else {
        low = middle + 1;
      }
    }
    return best;
  }

  private static Optional<FilterPlan> planWithin(
      FilterProvider provider, Supplier<FilterSpec> spec, long sizeInBits) {
    try {
      return Optional.of(provider.plan(spec.get())).filter(plan -> plan.sizeInBits() <= sizeInBits);
    } catch (IllegalArgumentException e) {
      // There is no such spec, or no filter of this variant for it, of whatever size.
      return Optional.empty();
    }
  }

  private static String tooSmall(FilterProvider provider, long sizeInBits, String what) {
    return "a "
        + provider.variant()
        + " filter of "
        + sizeInBits
        + " bits cannot hold "
        + what
        + "; allow more bits";
  }
}
