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
 * A check that the suite detects faults on this machine, because a rule that cannot fail tests
 * nothing.
 *
 * @param doubts the reasons why the run is inconclusive even if every rule is kept; empty if there
 *     are none
 * @param raceSensitivity the fraction of rounds in which a lost update is detected on this machine
 *     under its current load
 */
record SelfCheck(List<String> doubts, double raceSensitivity) {

  /** The number of rounds that measure how often two threads overlap on this machine. */
  private static final int SENSITIVITY_ROUNDS = 100;

  /** Checks rules, as a tier runs them, on filters that break them. */
  static SelfCheck of(Tier tier, long seed) {
    // In separate runs: their budget and evidence are not those of the provider.
    Run run = new Run(Tier.QUICK, seed, Duration.ZERO);
    Run smallest = new Run(Tier.SMOKE, seed, Duration.ZERO);
    List<Canary> missed = new ArrayList<>();
    for (Canary canary : Canary.values()) {
      // A smoke run is as sensitive as its own checks. But canaries are local, and their calls are
      // so short that two threads hardly overlap in the few rounds that suffice for slow calls.
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
