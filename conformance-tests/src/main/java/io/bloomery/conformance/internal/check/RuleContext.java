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
 * What the check of one rule is given: a provider, how much to try, and where to note what it saw.
 */
public final class RuleContext {

  /** Below which chance a smaller case is taken to fail. */
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

  /** Returns the run that the check is part of. */
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

  /** Returns how much to try. */
  public Tier tier() {
    return run.tier();
  }

  /** Returns what judges counts of hits, on the account of the whole run. */
  public BinomialVerdict verdict() {
    // What has failed once fails: among smaller cases nobody is accused, and little is to be lost.
    return isLenient
        ? new BinomialVerdict(new FalseAlarmBudget(), cell -> {}, LENIENT)
        : new BinomialVerdict(run.budget(), evidence::rate);
  }

  /** Returns what judges whether choices are even, on the same account. */
  public UniformityVerdict uniformity() {
    return new UniformityVerdict(isLenient ? new FalseAlarmBudget() : run.budget());
  }

  /** Returns where to note what was looked at. */
  public Evidence evidence() {
    return evidence;
  }

  /** Judges as long as smaller cases are looked for, not on the account of the run. */
  void judgeLeniently(boolean isLenient) {
    this.isLenient = isLenient;
  }

  /** Returns which domain of the rule comes next, from 0: each is drawn from anew. */
  int nextDomain() {
    return domains++;
  }

  /** Checks what a rule says of every filter of a domain; see {@link ForAll}. */
  public void forAll(Domain domain, ForAll.Check check) {
    ForAll.check(this, domain, check);
  }

  /** Returns a seed for one purpose; in one run equal names give equal seeds. */
  public long seed(String purpose) {
    return Seeds.derived(run.seed(), purpose);
  }

  /** Starts the sequence of hashes that belongs to a purpose. */
  public Hashes hashes(String purpose) {
    return new Hashes(seed(purpose));
  }

  /** Returns the first hashes of that sequence. */
  public long[] hashes(String purpose, int count) {
    return hashes(purpose).next(count);
  }
}
