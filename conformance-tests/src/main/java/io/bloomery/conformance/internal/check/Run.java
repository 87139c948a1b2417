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

/** One run of the suite: its amount of testing, seed, budget and evidence. */
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
   * Creates a run.
   *
   * @param patience how long to search for a smaller case when a rule fails
   */
  public Run(Tier tier, long seed, Duration patience) {
    this(tier, seed, patience, limit(tier), drawn -> {});
  }

  /**
   * Creates a run.
   *
   * @param patience how long to search for a smaller case when a rule fails
   * @param limit how long a rule may run without progress
   * @param watcher called with each case before it is tried
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

  /** Returns the default time to search for a smaller case. */
  public static Duration patience(Tier tier) {
    return Duration.ofSeconds(tier.choose(4, 4, 20, 20));
  }

  /** Returns the default time that a rule may run without progress. */
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

  /** Returns a wrapped provider: the same for successive rules. */
  Subject subject(FilterProvider provider) {
    Subject known = subject;
    if (known == null || known.provider() != provider) {
      known = new Subject(provider, tier == Tier.SMOKE);
      subject = known;
    }
    return known;
  }

  /** Counts a drawn case. */
  void begin(Case drawn, long plannedBytes) {
    synchronized (coverage) {
      coverage.add(drawn, plannedBytes);
    }
  }

  /** Records that a case is about to be tried. */
  void tries(Case drawn) {
    progress();
    watcher.accept(drawn);
  }

  /** Records progress: a check that has not hung calls this repeatedly. */
  public void progress() {
    begun.incrementAndGet();
  }

  /** Returns a number that changes with all progress. */
  public long begun() {
    return begun.get();
  }

  /** Returns the number of cases of all rules by class. */
  public Coverage coverage() {
    Coverage copy = new Coverage();
    synchronized (coverage) {
      copy.add(coverage);
    }
    return copy;
  }

  /** Returns the budget shared by all statistical checks of the run. */
  public FalseAlarmBudget budget() {
    return budget;
  }

  /** Returns the evidence to which the rule of an id adds from now on. */
  Evidence begin(String rule) {
    Evidence seen = new Evidence(this::progress);
    synchronized (evidence) {
      evidence.put(rule, seen);
    }
    return seen;
  }

  /**
   * Returns the evidence of a rule; empty evidence if it was not begun because it does not apply.
   */
  public Evidence evidence(String rule) {
    synchronized (evidence) {
      return evidence.getOrDefault(rule, new Evidence());
    }
  }
}
