package io.bloomery;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.VariantProvider;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Plans for a given size: the lowest false-positive probability, or the most keys, within it. */
final class Budget {

  private Budget() {}

  /** Plans the smallest filter that satisfies a spec, if it takes at most {@code maxBytes}. */
  static FilterPlan within(VariantProvider provider, FilterSpec spec, long maxBytes) {
    FilterPlan plan = provider.plan(spec);
    if (bytes(plan) <= maxBytes) {
      return plan;
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%d keys at a rate of %s must have %d bytes in a filter of variant '%s', but %d are"
                + " allowed; allow more, or a higher rate: %s",
            spec.expectedKeys(),
            spec.falsePositiveRate(),
            bytes(plan),
            provider.variant(),
            maxBytes,
            rateWithin(provider, spec.expectedKeys(), maxBytes)));
  }

  private static long bytes(FilterPlan plan) {
    return plan.sizeInBits() / Byte.SIZE;
  }

  private static String rateWithin(VariantProvider provider, long keys, long maxBytes) {
    try {
      double rate = lowestRate(provider, keys, maxBytes).spec().falsePositiveRate();
      return String.format(Locale.ROOT, "so many give %.3g", rate);
    } catch (IllegalArgumentException e) {
      return "so many give none";
    }
  }

  static FilterPlan lowestRate(VariantProvider provider, long keys, long maxBytes) {
    // Positive doubles have the same order as their bits.
    long highest = Double.doubleToRawLongBits(Math.nextDown(1.0));
    long lowest = Double.doubleToRawLongBits(FilterSpec.lowestRate(keys));
    LongFunction<FilterSpec> spec = rate -> FilterSpec.of(keys, Double.longBitsToDouble(rate));
    return smallestThatFits(provider, maxBytes, lowest, highest, spec)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    tooSmall(provider, maxBytes, keys + " keys at any rate")));
  }

  static FilterPlan maxKeys(VariantProvider provider, double rate, long maxBytes) {
    long max = (long) (rate / FilterSpec.lowestRate(1));
    LongFunction<FilterSpec> spec = fewer -> FilterSpec.of(max - fewer, rate);
    return smallestThatFits(provider, maxBytes, 0, max - 1, spec)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    tooSmall(provider, maxBytes, "one key at a rate of " + rate)));
  }

  /**
   * Finds the smallest number whose spec has a plan within the size; sizes decrease as it
   * increases.
   */
  private static Optional<FilterPlan> smallestThatFits(
      VariantProvider provider, long maxBytes, long from, long to, LongFunction<FilterSpec> spec) {
    Optional<FilterPlan> best = Optional.empty();
    long low = from;
    long high = to;
    while (low <= high) {
      long middle = low + (high - low) / 2;
      Optional<FilterPlan> plan = planWithin(provider, () -> spec.apply(middle), maxBytes);
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
      VariantProvider provider, Supplier<FilterSpec> spec, long maxBytes) {
    try {
      return Optional.of(provider.plan(spec.get())).filter(plan -> bytes(plan) <= maxBytes);
    } catch (IllegalArgumentException e) {
      // There is no such spec, or no filter of this variant satisfies it at any size.
      return Optional.empty();
    }
  }

  private static String tooSmall(VariantProvider provider, long maxBytes, String what) {
    return "a filter of variant '"
        + provider.variant()
        + "' with "
        + maxBytes
        + " bytes cannot hold "
        + what
        + "; allow more bytes";
  }
}
