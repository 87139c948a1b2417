package io.bloomery.cli.conformance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Session;
import io.bloomery.conformance.Rule;
import java.io.IOException;

/** Prints the rules of the conformance suite, one line or one JSON object for each. */
final class RuleList {

  private RuleList() {}

  static void print(Session session, boolean json) throws IOException {
    if (json) {
      Json.print(session, RuleList::write);
      return;
    }
    for (Rule rule : Rule.values()) {
      session.print(rule.name() + " " + rule.title() + "\n");
    }
  }

  private static void write(JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (Rule rule : Rule.values()) {
      json.writeStartObject();
      json.writeStringField("rule", rule.name());
      json.writeStringField("title", rule.title());
      json.writeStringField("statement", rule.statement());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
