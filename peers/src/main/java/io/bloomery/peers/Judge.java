package io.bloomery.peers;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.Tier;
import java.util.EnumMap;
import java.util.Map;

/** Runs the rules on a peer. The only class that knows how the suite is run. */
final class Judge {

  /** What a rule came to. */
  enum Verdict {
    KEPT,
    BROKEN,
    NOT_PROMISED,
    NOT_APPLICABLE
  }

  /**
   * What came of one rule.
   *
   * @param detail the smallest counterexample, or why the rule does not count
   */
  record Cell(Verdict verdict, String detail) {}

  /** What came of all rules but those {@linkplain Promises#OF_THE_ADAPTER of the adapter}. */
  record Judgement(Peer peer, long seed, Map<Rule, Cell> cells) {}

  private static final ConformanceRunner RUNNER = new ConformanceRunner().tier(Tier.QUICK);
  private static final int RACES = 4;
  private static final int ENOUGH_TO_KNOW = 40;

  private Judge() {}

  /** Runs the rules so often that a race is hardly missed; what is broken once is broken. */
  static Judgement judgeThoroughly(Peer peer) {
    Judgement judgement = judge(peer);
    if (peer.promises().reason(Rule.R41).isEmpty()) {
      for (int again = 0; again < RACES; again++) {
        judge(peer)
            .cells()
            .forEach(
                (rule, cell) -> {
                  if (cell.verdict() == Verdict.BROKEN) {
                    judgement.cells().put(rule, cell);
                  }
                });
      }
    }
    return judgement;
  }

  /** Runs the rules once. */
  static Judgement judge(Peer peer) {
    ConformanceReport report = RUNNER.run(peer);
    Map<Rule, Cell> cells = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      if (!Promises.OF_THE_ADAPTER.contains(rule)) {
        cells.put(rule, cell(peer, rule, report.outcome(rule)));
      }
    }
    return new Judgement(peer, report.seed(), cells);
  }

  private static Cell cell(Peer peer, Rule rule, ConformanceReport.Outcome outcome) {
    ConformanceReport.Status status = outcome.status();
    if (status == ConformanceReport.Status.NOT_RUN) {
      throw new IllegalStateException(peer.variant() + ", " + rule + ": " + outcome.detail());
    }
    if (status == ConformanceReport.Status.NOT_APPLICABLE) {
      return new Cell(Verdict.NOT_APPLICABLE, outcome.detail());
    }
    return peer.promises()
        .reason(rule)
        .map(reason -> new Cell(Verdict.NOT_PROMISED, reason))
        .orElseGet(
            () ->
                status == ConformanceReport.Status.KEPT
                    ? new Cell(Verdict.KEPT, "")
                    : new Cell(Verdict.BROKEN, inOneLine(outcome.detail())));
  }

  // What the exception says, and then the suite's report begins with the same once more.
  private static String inOneLine(String detail) {
    String line = detail.replaceAll("\\s+", " ");
    int again = line.indexOf(line.substring(0, Math.min(ENOUGH_TO_KNOW, line.length())), 1);
    line = again < 0 ? line : line.substring(0, again);
    return line.replaceAll("\\|-+jqwik-.*", "")
        .replaceAll("^(org\\.opentest4j|java\\.lang|net\\.jqwik[a-z.]*)\\.Assert[A-Za-z]*: ", "")
        .replaceAll("^net\\.jqwik[A-Za-z.]*: ", "")
        .replaceAll("; that comes by chance with probability [0-9.e-]+", "")
        .replaceAll(" ==> expected: <true> but was: <false>", "")
        .strip();
  }
}
