package io.bloomery.cli.trial;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;

/** Writes the results of all variants as JSON: an array of objects. */
final class DemoJson {

  private DemoJson() {}

  static void write(JsonGenerator json, Trials trials) throws IOException {
    json.writeStartArray();
    for (TrialResult result : trials.results()) {
      write(json, result);
    }
    for (Map.Entry<String, String> refusal : trials.refusals().entrySet()) {
      json.writeStartObject();
      json.writeStringField("variant", refusal.getKey());
      json.writeStringField("refusal", refusal.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, TrialResult result) throws IOException {
    ExactRate rate = result.rateMeasured();
    json.writeStartObject();
    json.writeStringField("variant", result.variant());
    json.writeStringField("structure", result.description().structure());
    json.writeStringField("queryCost", result.description().queryCost());
    json.writeNumberField("keys", result.keys());
    json.writeNumberField("expectedKeys", result.expected());
    json.writeNumberField("filters", result.filters());
    json.writeNumberField("falseNegatives", result.falseNegatives());
    json.writeNumberField("targetRate", result.targetRate());
    json.writeNumberField("rateMeasured", rate.value());
    json.writeNumberField("rateLow", rate.low());
    json.writeNumberField("rateHigh", rate.high());
    json.writeNumberField("rateBound", result.rateBound());
    json.writeNumberField("boundFalseAlarm", ExactRate.ALPHA);
    json.writeNumberField("absentQueried", rate.trials());
    json.writeNumberField("falsePositives", rate.hits());
    json.writeBooleanField("rateKept", result.rateKept());
    json.writeNumberField("bitsPerKey", result.bitsPerKey());
    json.writeNumberField("nanosPerAdd", result.nanosPerAdd());
    json.writeNumberField("nanosPerQuery", result.nanosPerQuery());
    json.writeNumberField("removed", result.removed());
    json.writeBooleanField("reopenedAsSaved", result.reopenedAsSaved());
    json.writeEndObject();
  }
}
