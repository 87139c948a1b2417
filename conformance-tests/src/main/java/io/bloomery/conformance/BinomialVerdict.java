package io.bloomery.conformance;

import java.util.Locale;
import org.apache.commons.math3.special.Beta;

/** Judges a count of hits among independent trials by the exact tail of the binomial. */
final class BinomialVerdict {

  /** How likely one verdict is to fail a filter whose rate is just within the bound. */
  static final double ALPHA = 1e-12;

  private final FalseAlarmBudget budget;

  BinomialVerdict(FalseAlarmBudget budget) {
    this.budget = budget;
  }

  /** Returns the probability of so many hits or more, if each trial is a hit with {@code rate}. */
  static double atLeast(long hits, long trials, double rate) {
    if (hits <= 0 || rate >= 1) {
      return 1;
    }
    return hits > trials || rate <= 0
        ? 0
        : Beta.regularizedBeta(rate, (double) hits, trials - hits + 1.0);
  }

  /** Returns the probability of so many hits or fewer, if each trial is a hit with {@code rate}. */
  static double atMost(long hits, long trials, double rate) {
    if (hits >= trials || rate <= 0) {
      return 1;
    }
    return hits < 0 || rate >= 1
        ? 0
        : Beta.regularizedBeta(1 - rate, (double) (trials - hits), hits + 1.0);
  }

  /** Fails if so many hits are next to impossible at a rate of {@code bound} or less. */
  void notAbove(double bound, long hits, long trials, String what) {
    budget.spend(ALPHA);
    double tail = atLeast(hits, trials, bound);
    if (tail < ALPHA) {
      throw failure("above", bound, hits, trials, tail, what);
    }
  }

  /** Fails if so few hits are next to impossible at a rate of {@code bound} or more. */
  void notBelow(double bound, long hits, long trials, String what) {
    budget.spend(ALPHA);
    double tail = atMost(hits, trials, bound);
    if (tail < ALPHA) {
      throw failure("below", bound, hits, trials, tail, what);
    }
  }

  private static AssertionError failure(
      String side, double bound, long hits, long trials, double tail, String what) {
    return new AssertionError(
        String.format(
            Locale.ROOT,
            "%s: the rate must not be %s %.4g, but %d hits in %d trials are %.4g;"
                + " that comes by chance with probability %.3g",
            what,
            side,
            bound,
            hits,
            trials,
            (double) hits / trials,
            tail));
  }
}
