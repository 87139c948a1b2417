package io.bloomery.cli.conformance;

import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Session;
import io.bloomery.conformance.Rule;
import java.io.IOException;
import java.util.stream.Stream;

/** Prints the rules of the conformance suite, one line or one JSON object for each. */
final class RuleList {

  private RuleList() {}

  static void print(Session session, boolean json) throws IOException {
    if (json) {
      Json.print(session, Stream.of(Rule.values()).map(RuleList::members).toList());
      return;
    }
    for (Rule rule : Rule.values()) {
      session.print(rule.name() + " " + rule.title() + "\n");
    }
  }

  private static Members members(Rule rule) {
    return new Members()
        .with("rule", rule.name())
        .with("title", rule.title())
        .with("statement", rule.statement());
  }
}
