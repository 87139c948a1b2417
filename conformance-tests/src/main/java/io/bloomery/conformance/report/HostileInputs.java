package io.bloomery.conformance.report;

import io.bloomery.conformance.hostile.HostileReport;
import io.bloomery.conformance.hostile.HostileReport.Cost;
import io.bloomery.conformance.hostile.HostileReport.Count;
import io.bloomery.conformance.hostile.HostileReport.Failure;

/** The encoding of the report of a campaign of hostile inputs as a JSON object. */
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
}
