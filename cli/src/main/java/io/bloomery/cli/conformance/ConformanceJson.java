package io.bloomery.cli.conformance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes reports of the conformance suite as JSON: an array of objects. */
final class ConformanceJson {

  private static final double NANOS = 1e9;

  private ConformanceJson() {}

  static void write(JsonGenerator json, List<ConformanceReport> reports) throws IOException {
    json.writeStartArray();
    for (ConformanceReport report : reports) {
      write(json, report);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, ConformanceReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("variant", report.variant());
    json.writeStringField("class", report.code().className());
    json.writeStringField("version", report.code().version().orElse(null));
    json.writeStringField("jarSha256", report.code().jarSha256().orElse(null));
    json.writeStringField("tier", report.tier().toString());
    // As text, since most programs read numbers as doubles, which cannot represent every seed.
    json.writeStringField("seed", Long.toString(report.seed()));
    json.writeStringField("verdict", report.verdict().name());
    for (Status status : Status.values()) {
      json.writeNumberField(member(status), report.count(status));
    }
    json.writeNumberField("keysAsked", report.keysQueried());
    json.writeNumberField("missedKeysBelow", report.missedKeysBelow());
    json.writeNumberField("badInputs", report.badInputs());
    json.writeNumberField("raceRounds", report.raceRounds());
    json.writeNumberField("raceSensitivity", report.raceSensitivity());
    json.writeNumberField("alphaSpent", report.alphaSpent());
    json.writeStringField("started", report.started().toString());
    json.writeNumberField("seconds", report.duration().toNanos() / NANOS);
    json.writeNumberField("processorSeconds", report.processorTime().toNanos() / NANOS);
    json.writeNumberField("casesNeeded", report.casesNeeded());
    json.writeObjectFieldStart("coverage");
    for (Map.Entry<String, Integer> cases : report.coverage().entrySet()) {
      json.writeNumberField(cases.getKey(), cases.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("doubts");
    for (String doubt : report.doubts()) {
      json.writeString(doubt);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("rules");
    for (Map.Entry<Rule, Outcome> outcome : report.outcomes().entrySet()) {
      write(json, outcome.getKey(), outcome.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Rule rule, Outcome outcome) throws IOException {
    json.writeObjectFieldStart(rule.name());
    json.writeStringField("title", rule.title());
    json.writeStringField("status", outcome.status().name());
    json.writeStringField("detail", outcome.detail());
    json.writeStringField("cause", outcome.cause());
    json.writeNumberField("seconds", outcome.duration().toNanos() / NANOS);
    json.writeEndObject();
  }

  private static String member(Status status) {
    return switch (status) {
      case KEPT -> "kept";
      case BROKEN -> "broken";
      case NOT_APPLICABLE -> "notApplicable";
      case NOT_RUN -> "notRun";
      case NOT_ASKED -> "notAsked";
    };
  }
}
