package io.bloomery.conformance;

import io.bloomery.conformance.statistics.FalseAlarmBudget;
import java.util.EnumMap;
import java.util.Map;

/** One run of the suite: how much it tries, its seed, its budget, and what it has seen. */
final class Run {

  private final Tier tier;
  private final long seed;
  private final FalseAlarmBudget budget = new FalseAlarmBudget();
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);

  Run(Tier tier, long seed) {
    this.tier = tier;
    this.seed = seed;
  }

  Tier tier() {
    return tier;
  }

  long seed() {
    return seed;
  }

  /** Returns what all statistical checks of the run have together. */
  FalseAlarmBudget budget() {
    return budget;
  }

  /** Returns where to note what a rule sees from now on. */
  Evidence begin(Rule rule) {
    Evidence seen = new Evidence();
    synchronized (evidence) {
      evidence.put(rule, seen);
    }
    return seen;
  }

  /** Returns what each rule that was checked has seen. */
  Map<Rule, Evidence> evidence() {
    synchronized (evidence) {
      return new EnumMap<>(evidence);
    }
  }
}
