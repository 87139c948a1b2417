package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.VariantProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * False-positive rates as functions of the number of keys.
 *
 * @param title the title of the plot
 * @param expected the number of keys that the filters are made for
 * @param targetRate the rate guaranteed up to that number
 * @param keys numbers of keys, in equal steps
 * @param curves for each variant, the planned rate at each of those numbers
 * @param now the current state of a saved filter, or null for plans alone
 */
record RateCurves(
    String title,
    long expected,
    double targetRate,
    List<Long> keys,
    Map<String, Curve> curves,
    Point now) {

  /**
   * The curve of one variant.
   *
   * @param rates the planned rate at each number of keys, up to the expected one if filters of the
   *     variant are built once
   * @param description the variant's description of the filter
   */
  record Curve(List<Double> rates, FilterDescription description) {

    static Curve of(VariantProvider provider, FilterSpec spec, List<Long> keys) {
      FilterPlan plan = provider.plan(spec);
      long most = provider instanceof StaticFilterProvider ? spec.expectedKeys() : Long.MAX_VALUE;
      return new Curve(
          keys.stream().filter(number -> number <= most).map(plan::falsePositiveRate).toList(),
          plan.description());
    }
  }

  /**
   * A number of keys and a rate.
   *
   * @param keys the estimated number of keys, or the largest on the axis if it cannot be estimated
   * @param isKnown whether it can be estimated
   * @param rate the rate estimated from the bits
   */
  record Point(double keys, boolean isKnown, double rate) {}

  private static final int STEPS = 120;

  /** The lowest rate drawn, relative to the target, since a logarithmic axis has no end. */
  private static final double SHOWN_BELOW = 1e-3;

  /** The range of the curves, as a multiple of the expected keys. */
  private static final int BEYOND = 3;

  /**
   * Plans a filter of every variant that can keep the rate.
   *
   * @throws IllegalArgumentException if there is none
   */
  static RateCurves ofVariants(Bloomery bloomery, FilterSpec spec) {
    List<Long> keys = steps(BEYOND * (double) spec.expectedKeys());
    Map<String, Curve> curves = new LinkedHashMap<>();
    IllegalArgumentException refusal = null;
    for (String variant : bloomery.providers().variants()) {
      try {
        curves.put(variant, Curve.of(bloomery.providers().variant(variant), spec, keys));
      } catch (IllegalArgumentException e) {
        refusal = e;
      }
    }
    if (curves.isEmpty() && refusal != null) {
      throw refusal;
    }
    return new RateCurves(
        String.format(
            Locale.ROOT,
            "Rate against keys: %,d expected at %s",
            spec.expectedKeys(),
            spec.falsePositiveRate()),
        spec.expectedKeys(),
        spec.falsePositiveRate(),
        keys,
        curves,
        null);
  }

  /** Returns the planned curve of a saved filter and its current state. */
  static RateCurves ofFilter(Bloomery bloomery, String name, StoredFilter filter) {
    FilterSpec spec = filter.spec();
    FilterStats stats = filter.stats();
    double estimatedKeys =
        stats.approximateKeys().isPresent()
            ? stats.approximateKeys().getAsLong()
            : Double.POSITIVE_INFINITY;
    double end = BEYOND * (double) spec.expectedKeys();
    if (estimatedKeys > end && estimatedKeys < Double.POSITIVE_INFINITY) {
      end = 1.1 * estimatedKeys;
    }
    List<Long> keys = steps(end);
    VariantProvider provider = bloomery.providers().variant(filter.variant());
    return new RateCurves(
        String.format(
            Locale.ROOT,
            "%s: %s, %,d keys expected at %s; now %s at %.3g",
            VisibleText.line(name),
            filter.variant(),
            spec.expectedKeys(),
            spec.falsePositiveRate(),
            stats.approximateKeys().isPresent()
                ? String.format(Locale.ROOT, "about %,.0f", estimatedKeys)
                : "more than can be told",
            stats.falsePositiveRate()),
        spec.expectedKeys(),
        spec.falsePositiveRate(),
        keys,
        Map.of(filter.variant(), Curve.of(provider, spec, keys)),
        new Point(
            Math.min(estimatedKeys, keys.get(keys.size() - 1)),
            stats.approximateKeys().isPresent(),
            stats.falsePositiveRate()));
  }

  private static List<Long> steps(double end) {
    return IntStream.rangeClosed(1, STEPS)
        .mapToObj(i -> Math.max(1, (long) (end / STEPS * i)))
        .toList();
  }

  /** Returns the exponent of the power of ten that is above all rates, at most 0. */
  int highestDecade() {
    double top = Math.max(targetRate, now == null ? 0 : now.rate());
    return Math.min(0, (int) Math.ceil(Math.log10(Math.max(top, rates().max().orElse(0)))));
  }

  /** Returns the exponent of the power of ten below all rates that are shown. */
  int lowestDecade() {
    double bottom = Math.min(targetRate, rates().min().orElse(1));
    double shown = Math.max(bottom, targetRate * SHOWN_BELOW);
    return Math.min(highestDecade() - 1, (int) Math.floor(Math.log10(shown) + 1e-9));
  }

  private DoubleStream rates() {
    return curves.values().stream().flatMapToDouble(c -> c.rates().stream().mapToDouble(r -> r));
  }

  /** Returns the largest number of keys. */
  long lastKeys() {
    return keys.get(keys.size() - 1);
  }
}
