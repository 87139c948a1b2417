package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.rules.PutRaceRules;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A check that the suite detects faults on this machine, because a rule that cannot fail tests
 * nothing.
 *
 * @param doubts the reasons why the run is inconclusive even if every rule is kept; empty if there
 *     are none
 * @param raceSensitivity the fraction of rounds in which a lost update is detected on this machine
 *     under its current load; 0 if no rule of the run races two threads
 */
record SelfCheck(List<String> doubts, double raceSensitivity) {
  // decisions.md#a-run-that-sees-no-known-fault-shows-nothing

  /** The number of rounds that measure how often two threads overlap on this machine. */
  private static final int SENSITIVITY_ROUNDS = 100;

  /** The rules that race two threads, where filters have what they are about. */
  private static final Set<Rule> RACES =
      EnumSet.of(
          Rule.R40, Rule.R41, Rule.R42, Rule.R43, Rule.R56, Rule.R57, Rule.R58, Rule.R62, Rule.R68,
          Rule.R69, Rule.R70, Rule.R73, Rule.R74, Rule.R86);

  /** Returns whether a rule needs two cores, on which two threads run at the same time. */
  static boolean races(Rule rule) {
    return RACES.contains(rule);
  }

  /**
   * Checks rules, as a tier runs them, on filters that break them. A run of rules of which none
   * races is not in doubt because the machine is too busy for races.
   */
  static SelfCheck of(Tier tier, long seed, Collection<Rule> rules) {
    boolean races = rules.stream().anyMatch(SelfCheck::races);
    // In separate runs: their budget and evidence are not those of the provider.
    Run run = new Run(Tier.QUICK, seed, Duration.ZERO);
    Run smallest = new Run(Tier.SMOKE, seed, Duration.ZERO);
    List<Canary> missed = new ArrayList<>();
    for (Canary canary : Canary.values()) {
      if (races(canary.rule()) && !races) {
        continue;
      }
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
      return new SelfCheck(List.of(), races ? raceSensitivity(run) : 0);
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
