package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.scalable.ScalableProvider;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The tables of {@code docs/choosing.md}, computed from what is installed. */
public final class VariantTables {

  private static final long KEYS = 1_000_000;
  private static final double[] RATES = {0.05, 0.01, 0.001, 1e-4, 1e-6};

  private VariantTables() {}

  /** Prints all tables. */
  public static void main(String... args) {
    System.out.println(memory());
    System.out.println(grown());
    System.out.println(beyond());
  }

  /** Returns bits a key of each variant, planned for a million keys at several rates. */
  public static String memory() {
    return table(
        List.of("Variant", "5 %", "1 %", "0.1 %", "10^-4", "10^-6"),
        Bloomery.installed().providers().variants().stream()
            .map(variant -> row(variant, "%.2f", RATES, rate -> bitsPerKey(variant, rate)))
            .toList());
  }

  /** Returns what is not a number where a variant refuses a rate. */
  private static double bitsPerKey(String variant, double rate) {
    try {
      return Bloomery.installed()
          .providers()
          .variant(variant)
          .plan(FilterSpec.of(KEYS, rate))
          .bitsPerKey();
    } catch (IllegalArgumentException e) {
      return Double.NaN;
    }
  }

  /** Returns the rate of each variant asked for 1 %, when more keys come than were expected. */
  public static String beyond() {
    Bloomery bloomery = Bloomery.installed();
    return table(
        List.of("Variant", "n", "1.5 n", "2 n", "3 n"),
        bloomery.providers().variants().stream()
            .map(
                variant -> {
                  VariantProvider provider = bloomery.providers().variant(variant);
                  FilterPlan plan = provider.plan(FilterSpec.of(KEYS, 0.01));

                  return row(
                      variant,
                      "%.1f %%",
                      new double[] {1, 1.5, 2, 3},
                      times ->
                          times > 1 && provider instanceof StaticFilterProvider
                              ? Double.NaN
                              : 100 * plan.falsePositiveRate((long) (times * KEYS)));
                })
            .toList());
  }

  /**
   * Returns the bits a key of a growing filter that was told to expect far fewer keys than came: at
   * that number, and on average and at worst between the growth before it and the next. The average
   * is that of numbers of keys which lie evenly on a logarithmic scale.
   */
  public static String grown() {
    return table(
        List.of("Keys that came, for each expected", "Then", "On average", "At worst"),
        IntStream.of(10, 100, 1_000)
            .mapToObj(
                times -> {
                  double bits = grownBits(times);
                  // Layers double, so that s of them have room for 2^s - 1 times the first's keys.
                  double full = 2.0 * Integer.highestOneBit(times) - 1;
                  double fullBefore = Integer.highestOneBit(times) - 1;
                  double mean = bits * (1 / fullBefore - 1 / full) / Math.log(full / fullBefore);
                  return String.format(
                      Locale.ROOT,
                      "| %,d | %.1f | %.1f | %.1f |",
                      times,
                      bits / times,
                      mean,
                      bits / fullBefore);
                })
            .toList());
  }

  /** Returns the bits that a growing filter takes, for each key that it was told to expect. */
  private static double grownBits(int times) {
    long expectedKeys = 2_000;
    Filter filter =
        new ScalableProvider().create(FilterSpec.of(expectedKeys, 0.01), ThreadMode.CONFINED);
    new SplittableRandom(1).longs(times * expectedKeys).forEach(filter::put);
    return (double) filter.stats().sizeInBits() / expectedKeys;
  }

  private static String row(
      String variant, String format, double[] columns, ToDoubleFunction<Double> value) {
    StringBuilder row = new StringBuilder("| `" + variant + "` |");
    for (double column : columns) {
      double cell = value.applyAsDouble(column);
      row.append(' ')
          .append(Double.isNaN(cell) ? "refused" : String.format(Locale.ROOT, format, cell))
          .append(" |");
    }
    return row.toString();
  }

  private static String table(List<String> head, List<String> rows) {
    return head.stream().collect(Collectors.joining(" | ", "| ", " |\n"))
        + "|---".repeat(head.size())
        + "|\n"
        + String.join("\n", rows)
        + "\n";
  }
}
