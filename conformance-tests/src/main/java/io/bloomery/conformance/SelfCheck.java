package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.rules.PutRaceRules;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the suite sees faults, here and now, since a rule that cannot fail tests nothing.
 *
 * @param doubts why the run says nothing, even if every rule is kept; empty if there is no reason
 * @param raceSensitivity in which share of rounds a lost update shows on this machine, as busy as
 *     it is
 */
record SelfCheck(List<String> doubts, double raceSensitivity) {

  /** The rounds that tell how often two threads meet on this machine. */
  private static final int SENSITIVITY_ROUNDS = 100;

  /** Holds rules, as a tier checks them, against filters that break them. */
  static SelfCheck of(Tier tier, long seed) {
    // In runs of their own: what is spent and seen there is not the provider's.
    Run run = new Run(Tier.QUICK, seed, Duration.ZERO);
    Run smallest = new Run(Tier.SMOKE, seed, Duration.ZERO);
    List<Canary> missed = new ArrayList<>();
    for (Canary canary : Canary.values()) {
      // A smoke run is worth what it sees itself. But canaries are here, and their calls so short
      // that two threads hardly meet in as few rounds as are enough for calls that are slow.
      boolean isSmall = tier == Tier.SMOKE && canary != Canary.LOSES_UPDATES;
      if (!isRejected(canary, isSmall ? smallest : run)) {
        missed.add(canary);
      }
    }
    if (!missed.isEmpty()) {
      String doubt = "filters whose faults were not seen: " + missed + "; this run tests nothing";
      return new SelfCheck(List.of(doubt), 0);
    }
    try {
      return new SelfCheck(List.of(), raceSensitivity(run));
    } catch (Throwable e) {
      return new SelfCheck(List.of("how often a lost update shows is not known: " + e), 0);
    }
  }

  private static boolean isRejected(Canary canary, Run run) {
    RuleTrial trial = RuleTrial.of(canary.rule(), run, canary.provider());
    return trial.outcome().status() == Status.BROKEN
        && trial.failure().filter(AssertionError.class::isInstance).isPresent();
  }

  private static double raceSensitivity(Run run) {
    Canary careless = Canary.LOSES_UPDATES;
    RuleContext context = new RuleContext(run, careless.rule().id(), careless.provider());
    return new PutRaceRules(context).shareOfLosses(SENSITIVITY_ROUNDS);
  }
}
