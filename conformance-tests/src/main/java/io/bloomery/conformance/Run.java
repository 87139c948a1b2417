package io.bloomery.conformance;

import io.bloomery.conformance.statistics.BinomialVerdict;
import io.bloomery.conformance.statistics.FalseAlarmBudget;
import io.bloomery.conformance.statistics.UniformityVerdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One run of the suite: how much it tries, its seed, its budget, and what it has seen. */
final class Run {

  // Rules are methods of tests that an engine creates, and shrinking runs on a thread of a pool, so
  // that neither an argument nor a ThreadLocal would do.
  private static volatile Run current = new Run(Tier.ofProperty(), Seeds.ofProperty());

  private final Tier tier;
  private final long seed;
  private final FalseAlarmBudget budget = new FalseAlarmBudget();
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);
  private volatile Rule rule;
  private volatile double raceSensitivity;

  Run(Tier tier, long seed) {
    this.tier = tier;
    this.seed = seed;
  }

  static Run current() {
    return current;
  }

  /** Makes a run the current one while something is done. */
  static void within(Run run, Runnable work) {
    Run outer = current;
    current = run;
    try {
      work.run();
    } finally {
      current = outer;
    }
  }

  Tier tier() {
    return tier;
  }

  long seed() {
    return seed;
  }

  double alphaSpent() {
    return budget.spent();
  }

  /** Says which rule is checked from now on. */
  void begin(Rule rule) {
    this.rule = rule;
    synchronized (evidence) {
      evidence.put(rule, new Evidence());
    }
  }

  /** Returns which rule was begun last, if any. */
  Optional<Rule> rule() {
    return Optional.ofNullable(rule);
  }

  /** Returns where to note what the rule that is being checked has seen. */
  Evidence evidence() {
    synchronized (evidence) {
      // Outside of all rules, as where a test calls a check by itself, notes go nowhere.
      return rule == null ? new Evidence() : evidence.get(rule);
    }
  }

  Map<Rule, Evidence> allEvidence() {
    synchronized (evidence) {
      return new EnumMap<>(evidence);
    }
  }

  /** Notes in which share of rounds a lost update shows on this machine, as busy as it is. */
  void raceSensitivity(double share) {
    raceSensitivity = share;
  }

  double raceSensitivity() {
    return raceSensitivity;
  }

  BinomialVerdict verdict() {
    return new BinomialVerdict(budget, evidence()::rate);
  }

  UniformityVerdict uniformity() {
    return new UniformityVerdict(budget);
  }
}
