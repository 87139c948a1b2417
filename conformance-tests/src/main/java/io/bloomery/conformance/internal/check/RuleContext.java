package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.BinomialVerdict;
import io.bloomery.conformance.statistics.FalseAlarmBudget;
import io.bloomery.conformance.statistics.UniformityVerdict;
import io.bloomery.filter.FilterProvider;

/**
 * The context of the check of one rule: a provider, the amount of testing, and the evidence to
 * collect.
 */
public final class RuleContext {

  /** The probability below which a smaller case is considered to fail. */
  private static final double LENIENT = 1e-6;

  private final Run run;
  private final Evidence evidence;
  private final Subject subject;
  private int domains;
  private volatile boolean isLenient;

  public RuleContext(Run run, String rule, FilterProvider provider) {
    this.run = run;
    this.evidence = run.begin(rule);
    this.subject = run.subject(provider);
  }

  /** Returns the run that the check belongs to. */
  public Run run() {
    return run;
  }

  public FilterProvider provider() {
    return subject.provider();
  }

  /** Returns the provider under test, wrapped. */
  public Subject subject() {
    return subject;
  }

  /** Returns the amount of testing. */
  public Tier tier() {
    return run.tier();
  }

  /** Returns the test of numbers of hits, which spends the budget of the whole run. */
  public BinomialVerdict verdict() {
    // The rule has already failed: judgements of smaller cases accuse no one, so errors cost
    // little.
    return isLenient
        ? new BinomialVerdict(new FalseAlarmBudget(), cell -> {}, LENIENT)
        : new BinomialVerdict(run.budget(), evidence::rate);
  }

  /** Returns the test of uniformity, which spends the same budget. */
  public UniformityVerdict uniformity() {
    return new UniformityVerdict(isLenient ? new FalseAlarmBudget() : run.budget());
  }

  /** Returns the evidence of the rule. */
  public Evidence evidence() {
    return evidence;
  }

  /**
   * Sets whether judgements are lenient, while smaller cases are searched for, and do not spend the
   * budget of the run.
   */
  void judgeLeniently(boolean isLenient) {
    this.isLenient = isLenient;
  }

  /** Returns the index of the next domain of the rule, from 0: draws of each are independent. */
  int nextDomain() {
    return domains++;
  }

  /** Checks a statement about every filter of a domain; see {@link ForAll}. */
  public void forAll(Domain domain, ForAll.Check check) {
    ForAll.check(this, domain, check);
  }

  /** Returns the seed for a purpose; within a run, equal names have equal seeds. */
  public long seed(String purpose) {
    return Seeds.derived(run.seed(), purpose);
  }

  /** Returns a new sequence of hashes for a purpose. */
  public Hashes hashes(String purpose) {
    return new Hashes(seed(purpose));
  }

  /** Returns the first hashes of that sequence. */
  public long[] hashes(String purpose, int count) {
    return hashes(purpose).next(count);
  }
}
