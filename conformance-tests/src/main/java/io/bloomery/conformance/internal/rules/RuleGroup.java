package io.bloomery.conformance.internal.rules;

import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.ForAll;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.BinomialVerdict;
import io.bloomery.conformance.statistics.UniformityVerdict;
import io.bloomery.filter.Filter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The checks of related rules in one {@link RuleContext}: each is a method without arguments that
 * throws if its rule is broken.
 */
abstract class RuleGroup {

  /** Rates of small filters for races: a variant may use another form at each. */
  static final List<Double> SOME_RATES = List.of(0.01, 0.2, Subject.ALWAYS_RATE, 0.05);

  private final RuleContext context;

  RuleGroup(RuleContext context) {
    this.context = context;
  }

  final RuleContext context() {
    return context;
  }

  final Subject subject() {
    return context.subject();
  }

  final Tier tier() {
    return context.tier();
  }

  final BinomialVerdict verdict() {
    return context.verdict();
  }

  final UniformityVerdict uniformity() {
    return context.uniformity();
  }

  final Evidence evidence() {
    return context.evidence();
  }

  /**
   * Returns a supplier of empty shared filters for some keys, two of each of {@link #SOME_RATES} in
   * turn.
   */
  final Supplier<Filter> smallFilters(int keys) {
    List<Filter> empties = SOME_RATES.stream().map(rate -> subject().create(keys, rate)).toList();
    AtomicInteger made = new AtomicInteger();
    return () -> empties.get(made.getAndIncrement() / 2 % empties.size()).copy();
  }

  /** Checks a statement of a rule about every filter of a domain. */
  final void forAll(Domain domain, ForAll.Check check) {
    context.forAll(domain, check);
  }

  final long seed(String purpose) {
    return context.seed(purpose);
  }

  final Hashes hashes(String purpose) {
    return context.hashes(purpose);
  }

  final long[] hashes(String purpose, int count) {
    return context.hashes(purpose, count);
  }
}
