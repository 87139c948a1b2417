package io.bloomery.conformance;

import io.bloomery.conformance.cases.Case;
import io.bloomery.conformance.cases.Coverage;
import io.bloomery.conformance.statistics.FalseAlarmBudget;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** One run of the suite: how much it tries, its seed, its budget, and what it has seen. */
final class Run {

  private final Tier tier;
  private final long seed;
  private final Duration patience;
  private final Coverage coverage = new Coverage();
  private final AtomicLong begun = new AtomicLong();
  private final FalseAlarmBudget budget = new FalseAlarmBudget();
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);

  /**
   * Begins a run.
   *
   * @param patience how long to look for a smaller case where a rule fails
   */
  Run(Tier tier, long seed, Duration patience) {
    this.tier = tier;
    this.seed = seed;
    this.patience = patience;
  }

  Run(Tier tier, long seed) {
    this(tier, seed, Duration.ofSeconds(tier.choose(4, 20, 20)));
  }

  Tier tier() {
    return tier;
  }

  long seed() {
    return seed;
  }

  Duration patience() {
    return patience;
  }

  /** Notes that a case is looked at from now on. */
  void begin(Case drawn, long plannedBytes) {
    begun.incrementAndGet();
    synchronized (coverage) {
      coverage.add(drawn, plannedBytes);
    }
  }

  /** Notes that something is going on: a check that is alive begins one thing after the other. */
  void progress() {
    begun.incrementAndGet();
  }

  /** Returns a number that changes whenever something is begun. */
  long begun() {
    return begun.get();
  }

  /** Returns what kinds of cases all rules have looked at. */
  Coverage coverage() {
    Coverage copy = new Coverage();
    synchronized (coverage) {
      copy.add(coverage);
    }
    return copy;
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
