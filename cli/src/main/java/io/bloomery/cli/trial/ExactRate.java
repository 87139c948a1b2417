package io.bloomery.cli.trial;

import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * A rate measured by counting, with exact binomial statements about the true one.
 *
 * @param hits how often it happened
 * @param trials of how many independent trials, at least 1
 */
public record ExactRate(int hits, int trials) {

  /** The probability that a statement made here is wrong. */
  static final double ALPHA = 1e-6;

  // The library stops at an absolute error of 1e-9 otherwise, which small rates are close to.
  private static final double ACCURACY = 1e-15;

  double value() {
    return (double) hits / trials;
  }

  /**
   * Returns the lower end of the interval that holds the true rate with 99.9999 %. Source: Clopper
   * and Pearson, 1934, doi.org/10.1093/biomet/26.4.404.
   */
  public double low() {
    return hits == 0 ? 0 : quantile(hits, trials - hits + 1.0, ALPHA / 2);
  }

  /** Returns the upper end of the interval. */
  public double high() {
    return hits == trials ? 1 : quantile(hits + 1.0, trials - hits, 1 - ALPHA / 2);
  }

  private static double quantile(double alpha, double beta, double probability) {
    return new BetaDistribution(null, alpha, beta, ACCURACY)
        .inverseCumulativeProbability(probability);
  }

  /**
   * Returns whether so many hits, or more, are too unlikely if the true rate is at most {@code
   * rate}: the one-sided exact test at 1e-6.
   */
  public boolean isAbove(double rate) {
    return isAbove(rate, hits, trials);
  }

  /** Returns the highest rate that so many trials may show for {@link #isAbove} to be false. */
  double bound(double rate) {
    int possible = 0;
    int tooMany = trials + 1;
    while (possible + 1 < tooMany) {
      int middle = (possible + tooMany) >>> 1;
      if (isAbove(rate, middle, trials)) {
        tooMany = middle;
      } else {
        possible = middle;
      }
    }
    return (double) possible / trials;
  }

  private static boolean isAbove(double rate, int hits, int trials) {
    return hits > 0 && Beta.regularizedBeta(rate, hits, trials - hits + 1.0) < ALPHA;
  }
}
