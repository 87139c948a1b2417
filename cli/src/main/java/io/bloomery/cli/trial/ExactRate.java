package io.bloomery.cli.trial;

import io.bloomery.conformance.statistics.Binomial;

/**
 * A rate measured by counting, with exact binomial confidence bounds for the true rate.
 *
 * @param hits the number of hits
 * @param trials the number of independent trials, at least 1
 */
public record ExactRate(int hits, int trials) {

  /** The probability that a statement made here is wrong. */
  static final double ALPHA = 1e-6;

  double value() {
    return (double) hits / trials;
  }

  /** Returns the lower end of the 99.9999 % Clopper-Pearson interval of the true rate. */
  public double low() {
    return Binomial.lowest(hits, trials, ALPHA / 2);
  }

  /** Returns the upper end of the interval. */
  public double high() {
    return Binomial.highest(hits, trials, ALPHA / 2);
  }

  /**
   * Returns whether this many hits, or more, are too unlikely if the true rate is at most {@code
   * rate}: the one-sided exact test at 1e-6.
   */
  public boolean isAbove(double rate) {
    return Binomial.atLeast(hits, trials, rate) < ALPHA;
  }

  /** Returns the highest measured rate of this many trials for which {@link #isAbove} is false. */
  double bound(double rate) {
    return (double) (Binomial.firstAbove(rate, trials, ALPHA) - 1) / trials;
  }
}
