package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.FalseAlarmBudget;
import io.bloomery.filter.FilterProvider;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** One run of the suite: how much it tries, its seed, its budget, and what it has seen. */
public final class Run {

  private final Tier tier;
  private final long seed;
  private final Duration patience;
  private final Duration limit;
  private final Consumer<Case> watcher;
  private final Coverage coverage = new Coverage();
  private final AtomicLong begun = new AtomicLong();
  private final FalseAlarmBudget budget = new FalseAlarmBudget();
  private volatile Subject subject;
  private final Map<String, Evidence> evidence = new HashMap<>();

  /**
   * Begins a run.
   *
   * @param patience how long to look for a smaller case where a rule fails
   */
  public Run(Tier tier, long seed, Duration patience) {
    this(tier, seed, patience, limit(tier), drawn -> {});
  }

  /**
   * Begins a run.
   *
   * @param patience how long to look for a smaller case where a rule fails
   * @param limit how long a rule may go on without any progress
   * @param watcher is told of each case before it is tried
   */
  public Run(Tier tier, long seed, Duration patience, Duration limit, Consumer<Case> watcher) {
    this.tier = tier;
    this.seed = seed;
    this.patience = patience;
    this.limit = limit;
    this.watcher = watcher;
  }

  public Run(Tier tier, long seed) {
    this(tier, seed, patience(tier));
  }

  /** Returns how long to look for a smaller case if nobody says. */
  public static Duration patience(Tier tier) {
    return Duration.ofSeconds(tier.choose(4, 4, 20, 20));
  }

  /** Returns how long a rule may go on without any progress if nobody says. */
  public static Duration limit(Tier tier) {
    return Duration.ofSeconds(tier.choose(300, 30, 900, 7_200));
  }

  public Tier tier() {
    return tier;
  }

  public long seed() {
    return seed;
  }

  public Duration patience() {
    return patience;
  }

  public Duration limit() {
    return limit;
  }

  /** Returns a provider, wrapped: the same for one rule after the other. */
  Subject subject(FilterProvider provider) {
    Subject known = subject;
    if (known == null || known.provider() != provider) {
      known = new Subject(provider, tier == Tier.SMOKE);
      subject = known;
    }
    return known;
  }

  /** Counts a case that was drawn. */
  void begin(Case drawn, long plannedBytes) {
    synchronized (coverage) {
      coverage.add(drawn, plannedBytes);
    }
  }

  /** Notes that a case is tried from now on. */
  void tries(Case drawn) {
    progress();
    watcher.accept(drawn);
  }

  /** Notes that something is going on: a check that is alive begins one thing after the other. */
  public void progress() {
    begun.incrementAndGet();
  }

  /** Returns a number that changes whenever something is begun. */
  public long begun() {
    return begun.get();
  }

  /** Returns what kinds of cases all rules have looked at. */
  public Coverage coverage() {
    Coverage copy = new Coverage();
    synchronized (coverage) {
      copy.add(coverage);
    }
    return copy;
  }

  /** Returns what all statistical checks of the run have together. */
  public FalseAlarmBudget budget() {
    return budget;
  }

  /** Returns where to note what the rule of an id sees from now on. */
  Evidence begin(String rule) {
    Evidence seen = new Evidence(this::progress);
    synchronized (evidence) {
      evidence.put(rule, seen);
    }
    return seen;
  }

  /** Returns what the rule of an id has seen; nothing if it was not begun, as it does not apply. */
  public Evidence evidence(String rule) {
    synchronized (evidence) {
      return evidence.getOrDefault(rule, new Evidence());
    }
  }
}
