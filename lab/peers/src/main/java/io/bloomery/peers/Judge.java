package io.bloomery.peers;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.run.Tier;
import java.util.EnumMap;
import java.util.Map;

/** Runs the rules on a peer. This is the only class that depends on how the suite is run. */
final class Judge {

  /** The result of a rule. */
  enum Verdict {
    KEPT,
    BROKEN,
    NOT_PROMISED,
    NOT_APPLICABLE
  }

  /**
   * The result of one rule.
   *
   * @param detail the smallest counterexample, or why the rule does not count
   */
  record Cell(Verdict verdict, String detail) {}

  /** The results of all rules except those {@linkplain Promises#OF_THE_ADAPTER of the adapter}. */
  record Judgement(Peer peer, Map<Rule, Cell> cells) {

    /** Returns only the verdicts. */
    Map<Rule, Verdict> verdicts() {
      Map<Rule, Verdict> verdicts = new EnumMap<>(Rule.class);
      cells.forEach((rule, cell) -> verdicts.put(rule, cell.verdict()));
      return verdicts;
    }
  }

  /** A fixed seed, so that the page changes only with libraries and rules. */
  static final long SEED = 20_261_121;

  private static final ConformanceRunner RUNNER =
      new ConformanceRunner().tier(Tier.QUICK).seed(SEED);
  private static final int RACES = 4;

  private Judge() {}

  /**
   * Runs the rules repeatedly, so that races are unlikely to be missed; a rule broken once is
   * broken.
   */
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
    return new Judgement(peer, cells);
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

  // The message of the exception, without the lines about where it was thrown.
  private static String inOneLine(String detail) {
    return detail
        .replaceAll("\\nat \\S+(?=\\n|$)", "")
        .replaceAll("\\n *the smallest case found in which it fails: ", "; smallest case: ")
        .replaceAll("\\n *the case drawn: ", "; case drawn: ")
        .replaceAll("\\s+", " ")
        .replaceAll("(org\\.opentest4j|java\\.lang)\\.Assert[A-Za-z]*: ", "")
        .replaceAll("; that comes by chance with probability [0-9.e-]+", "")
        .replaceAll(" ==> expected: <true> but was: <false>", "")
        .strip();
  }
}
