package io.bloomery.cli.sizing;

import io.bloomery.cli.option.Growth;
import io.bloomery.cli.session.Members;
import io.bloomery.filter.FilterDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Formats planned filters as a table of at most 100 columns, or as JSON. */
final class SizeReport {

  private static final int COLUMNS = 100;

  // With names of up to 16 letters, rows stay within 100 columns.
  private static final int NARROWEST_NAME = 11;

  private static final String HEAD = " %14s %15s %8s %6s %10s %10s  %s\n";
  private static final String ROW = " %,14d %,15d %8.2f %6d %10.3g %10s  %s\n";

  private SizeReport() {}

  static String text(List<SizeRow> rows, Optional<String> exact) {
    int width =
        rows.stream().mapToInt(row -> row.variant().length()).reduce(NARROWEST_NAME, Math::max);
    String name = "%-" + width + "s";
    StringBuilder text = new StringBuilder();
    append(
        text,
        name + HEAD,
        "variant",
        "keys n",
        "bytes",
        "bits/key",
        "probes",
        "rate at n",
        "at 2 n",
        "query reads");
    for (SizeRow row : rows) {
      if (row.isPossible()) {
        append(
            text,
            name + ROW,
            row.variant(),
            row.keys(),
            row.bytes(),
            row.plan().bitsPerKey(),
            row.plan().probes(),
            row.rate(),
            row.rateAtTwice().isPresent()
                ? String.format(Locale.ROOT, "%.3g", row.rateAtTwice().getAsDouble())
                : "-",
            row.description().queryCost().isEmpty() ? "-" : row.description().queryCost());
      }
    }
    for (SizeRow row : rows) {
      if (!row.isPossible()) {
        append(text, "%s cannot: %s\n", row.variant(), row.refusal());
      }
    }
    if (rows.stream().anyMatch(row -> row.isPossible() && Growth.isIn(row.plan()))) {
      append(text, "\nOf a filter that grows, this is the first layer; it adds larger ones.\n");
    }
    if (rows.stream().anyMatch(row -> row.isPossible() && row.isBuiltOnce())) {
      append(text, "\nA filter that is built once takes no more than n keys.\n");
    }
    String legend = Legend.of(descriptions(rows), COLUMNS);
    if (!legend.isEmpty()) {
      append(text, "\n%s", legend);
    }
    exact.ifPresent(sentence -> append(text, "\n%s\n", sentence));
    return text.toString();
  }

  private static Map<String, FilterDescription> descriptions(List<SizeRow> rows) {
    Map<String, FilterDescription> descriptions = new LinkedHashMap<>();
    rows.stream()
        .filter(SizeRow::isPossible)
        .forEach(row -> descriptions.put(row.variant(), row.description()));
    return descriptions;
  }

  private static void append(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }

  static Members members(List<SizeRow> rows, Optional<String> exact) {
    Members members = new Members().with("filterNeeded", exact.isEmpty());
    exact.ifPresent(sentence -> members.with("instead", sentence));
    return members.with("variants", rows.stream().map(SizeReport::members).toList());
  }

  private static Members members(SizeRow row) {
    Members members = new Members().with("variant", row.variant());
    if (!row.isPossible()) {
      return members.with("refusal", row.refusal());
    }
    OptionalDouble atTwice = row.rateAtTwice();
    return members
        .with("expectedKeys", row.keys())
        .with("targetRate", row.plan().spec().falsePositiveRate())
        .with("payloadInBits", row.plan().sizeInBits())
        .with("bitsPerKey", row.plan().bitsPerKey())
        .with("probes", row.plan().probes())
        .with("rate", row.rate())
        .with("rateAtTwice", atTwice.isPresent() ? atTwice.getAsDouble() : null)
        .with("structure", row.description().structure())
        .with("queryCost", row.description().queryCost())
        .with("grows", Growth.isIn(row.plan()))
        .with("factors", IntStream.of(row.plan().folding().factors()).boxed().toList());
  }
}
