package io.bloomery.cli.conformance;

import io.bloomery.cli.session.Members;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import java.util.List;

/** Reports of the conformance suite in JSON: an array of objects. */
final class ConformanceJson {

  private static final double NANOS = 1e9;

  private ConformanceJson() {}

  static List<Members> of(List<ConformanceReport> reports) {
    return reports.stream().map(ConformanceJson::of).toList();
  }

  private static Members of(ConformanceReport report) {
    Members members =
        new Members()
            .with("variant", report.variant())
            .with("class", report.code().className())
            .with("version", report.code().version().orElse(null))
            .with("jarSha256", report.code().jarSha256().orElse(null))
            .with("tier", report.tier().toString())
            // As text, since most programs read numbers as doubles, which cannot represent every
            // seed.
            .with("seed", Long.toString(report.seed()))
            .with("verdict", report.verdict().name());
    for (Status status : Status.values()) {
      members.with(member(status), report.count(status));
    }
    Members rules = new Members();
    report.outcomes().forEach((rule, outcome) -> rules.with(rule.name(), of(rule, outcome)));
    return members
        .with("keysAsked", report.keysQueried())
        .with("missedKeysBelow", report.missedKeysBelow())
        .with("badInputs", report.badInputs())
        .with("raceRounds", report.raceRounds())
        .with("raceSensitivity", report.raceSensitivity())
        .with("alphaSpent", report.alphaSpent())
        .with("started", report.started().toString())
        .with("seconds", report.duration().toNanos() / NANOS)
        .with("processorSeconds", report.processorTime().toNanos() / NANOS)
        .with("casesNeeded", report.casesNeeded())
        .with("coverage", report.coverage())
        .with("doubts", report.doubts())
        .with("rules", rules);
  }

  private static Members of(Rule rule, Outcome outcome) {
    return new Members()
        .with("title", rule.title())
        .with("status", outcome.status().name())
        .with("detail", outcome.detail())
        .with("cause", outcome.cause())
        .with("seconds", outcome.duration().toNanos() / NANOS);
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
