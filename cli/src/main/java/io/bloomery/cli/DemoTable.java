package io.bloomery.cli;

import java.util.List;
import java.util.Locale;

/** Shows how every variant did, for people: lines of at most 100 characters. */
final class DemoTable {

  private static final String HEAD = "%-13s %10s %6s %6s  %-28s %8s %7s %9s\n";
  private static final String ROW = "%-13s %,10d %,6d %6s  %-28s %8.2f %7.0f %9.0f\n";

  private DemoTable() {}

  static String of(DemoKeys keys, List<TrialResult> results) {
    StringBuilder text = new StringBuilder();
    append(
        text,
        "%,d %s, and %,d names that are certainly not among them.\n\n",
        keys.present().size(),
        keys.description(),
        keys.absent().size());
    append(text, HEAD, "", "", "false", "rate", "rate measured", "bits", "ns", "ns");
    append(
        text,
        HEAD,
        "variant",
        "keys",
        "neg.",
        "asked",
        "(99.9999 % interval)",
        "per key",
        "per put",
        "per query");
    for (TrialResult result : results) {
      ExactRate rate = result.rateMeasured();
      append(
          text,
          ROW,
          result.variant(),
          result.keys(),
          result.falseNegatives(),
          result.rateAsked(),
          String.format(Locale.ROOT, "%.5f (%.5f to %.5f)", rate.value(), rate.low(), rate.high()),
          result.bitsPerKey(),
          result.nanosPerPut(),
          result.nanosPerQuery());
    }
    return text.append('\n').append(verdict(results)).append('\n').toString();
  }

  private static String verdict(List<TrialResult> results) {
    List<String> broken = results.stream().flatMap(r -> r.broken().stream()).toList();
    if (!broken.isEmpty()) {
      return "A promise was broken: " + String.join("; ", broken) + ".";
    }
    boolean removed = results.stream().anyMatch(r -> r.removed() > 0);
    return "Every promise was kept: no key was lost"
        + (removed ? ", also when others were removed" : "")
        + ", no rate is above the one asked,\nand every filter, saved and opened again, is the same"
        + " to the byte.";
  }

  private static void append(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
