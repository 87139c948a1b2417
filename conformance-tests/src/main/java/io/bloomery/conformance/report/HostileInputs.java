package io.bloomery.conformance.report;

import io.bloomery.conformance.hostile.HostileReport;
import io.bloomery.conformance.hostile.HostileReport.Cost;
import io.bloomery.conformance.hostile.HostileReport.Count;
import io.bloomery.conformance.hostile.HostileReport.Failure;
import java.util.Locale;

/** The report of a campaign of hostile inputs, as JSON and as Markdown. */
final class HostileInputs {

  private HostileInputs() {}

  static JsonObject json(HostileReport report) {
    return new JsonObject()
        .with("schema", JsonReport.SCHEMA)
        .with("seed", Long.toString(report.seed()))
        .with("mutantsForEachVariant", report.mutants())
        .with("seconds", report.duration().toNanos() / 1e9)
        .with("tried", report.tried())
        .with("failures", report.failures())
        .with("inputs", report.counts().stream().map(HostileInputs::json).toList())
        .with("costs", report.costs().stream().map(HostileInputs::json).toList())
        .with("firstFailure", report.firstFailure().map(HostileInputs::json));
  }

  private static JsonObject json(Count count) {
    return new JsonObject()
        .with("variant", count.variant())
        .with("kind", count.kind().name())
        .with("tried", count.tried())
        .with("refused", count.refused())
        .with("accepted", count.accepted())
        .with("failed", count.failed());
  }

  private static JsonObject json(Cost cost) {
    return new JsonObject()
        .with("variant", cost.variant())
        .with("allocatedShareOfLimit", cost.allocatedShare())
        .with("slowestNanos", cost.slowest().toNanos());
  }

  private static JsonObject json(Failure failure) {
    return new JsonObject()
        .with("variant", failure.variant())
        .with("kind", failure.kind().name())
        .with("source", failure.source())
        .with("problem", failure.problem())
        .with("number", failure.number())
        .with("length", failure.length())
        .with("hex", failure.hex());
  }

  static String markdown(HostileReport report) {
    MarkdownTable inputs =
        new MarkdownTable("Variant", "Kind", "Tried", "Refused", "Accepted", "Failures");
    for (Count count : report.counts()) {
      inputs.row(
          count.variant(),
          count.kind().toString(),
          number(count.tried()),
          number(count.refused()),
          number(count.accepted()),
          number(count.failed()));
    }
    MarkdownTable costs = new MarkdownTable("Variant", "Most allocated, of limit", "Slowest, ms");
    for (Cost cost : report.costs()) {
      costs.row(
          cost.variant(),
          String.format(Locale.ROOT, "%.0f %%", 100 * cost.allocatedShare()),
          String.format(Locale.ROOT, "%.3f", cost.slowest().toNanos() / 1e6));
    }
    StringBuilder page = new StringBuilder("# Hostile inputs\n\n");
    page.append(report.summary()).append("\n\n").append(inputs).append('\n').append(costs);
    report
        .firstFailure()
        .ifPresent(
            failure ->
                page.append("\nFirst failure: ")
                    .append(MarkdownTable.escaped(failure.toString()))
                    .append('\n'));
    return page.toString();
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
