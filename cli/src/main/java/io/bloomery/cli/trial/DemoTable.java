package io.bloomery.cli.trial;

import io.bloomery.cli.sizing.Legend;
import io.bloomery.filter.FilterDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats the results of all variants as text: lines of at most 100 characters. */
final class DemoTable {

  private static final int COLUMNS = 100;

  private static final String HEAD = " %10s %6s %6s  %-28s %8s %7s %9s\n";
  private static final String ROW = " %,10d %,6d %6s  %-28s %8.2f %7.0f %9.0f\n";

  // With names of up to 18 letters, lines stay within 100 columns.
  private static final int NARROWEST_NAME = 11;

  /** The rate below which five decimal places would show too few digits. */
  private static final double LOW_RATE = 1e-3;

  private final List<TrialResult> results;
  private final StringBuilder text = new StringBuilder();

  private DemoTable(List<TrialResult> results) {
    this.results = results;
  }

  static String of(DemoKeys keys, Trials trials) {
    DemoTable table = new DemoTable(trials.results());
    table.append(
        """
        %s
        Filters of each variant, all with different hashes: %,d.

        """,
        keys.description(), keys.filters());
    table.appendRows();
    trials
        .refusals()
        .forEach((variant, refusal) -> table.append("%s cannot: %s\n", variant, refusal));
    table.appendLegend();
    table.appendVerdict();
    return table.text.toString();
  }

  private void appendRows() {
    int width =
        results.stream().mapToInt(r -> r.variant().length()).reduce(NARROWEST_NAME, Math::max);
    String name = "%-" + width + "s";
    append(name + HEAD, "", "expected", "false", "rate", "rate measured", "bits", "ns", "ns");
    append(
        name + HEAD,
        "variant",
        "keys",
        "neg.",
        "asked",
        "(bound, false alarm 1e-6)",
        "per key",
        "per add",
        "per query");
    for (TrialResult result : results) {
      ExactRate rate = result.rateMeasured();
      append(
          name + ROW,
          result.variant(),
          result.expected(),
          result.falseNegatives(),
          result.targetRate(),
          String.format(
              Locale.ROOT,
              result.targetRate() < LOW_RATE ? "%.1e (at most %.1e)" : "%.5f (at most %.5f)",
              rate.value(),
              result.rateBound()),
          result.bitsPerKey(),
          result.nanosPerAdd(),
          result.nanosPerQuery());
    }
  }

  private void appendLegend() {
    Map<String, FilterDescription> descriptions = new LinkedHashMap<>();
    results.forEach(result -> descriptions.put(result.variant(), result.description()));
    String legend = Legend.of(descriptions, COLUMNS);
    if (!legend.isEmpty()) {
      append("\n%s", legend);
    }
  }

  private void appendVerdict() {
    List<String> broken = results.stream().flatMap(r -> r.broken().stream()).toList();
    if (!broken.isEmpty()) {
      append("\nA promise was broken:\n");
      broken.forEach(promise -> append("- %s\n", promise));
      return;
    }
    append("\nEvery promise was kept:\n- No key was lost.\n");
    String removing =
        results.stream()
            .filter(result -> result.removed() > 0)
            .map(TrialResult::variant)
            .collect(Collectors.joining(" and "));
    if (!removing.isEmpty()) {
      append("- None was lost when others were removed, which %s can do.\n", removing);
    }
    append(
        "- No measured rate is above the requested one beyond chance: none exceeds its bound,"
            + "\n  which the requested rate itself would exceed once in a million runs.\n");
    for (TrialResult result : results) {
      if (result.grew()) {
        append(
            "- Nor is that of %s, which was made for %,d keys and took %,d.\n",
            result.variant(), result.expected(), result.keys());
      }
    }
    append("- Every filter, saved and opened again, is the same to the byte.\n");
  }

  private void append(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
