package io.bloomery.conformance.statistics;

import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * The exact tails of the binomial distribution, and critical values and confidence intervals
 * derived from them.
 *
 * <p>The tests of commons-math count trials by int and compute a tail as 1 minus the other tail,
 * which leaves few significant digits of 1e-13. These tails are accurate however small they are.
 */
public final class Binomial {

  // The default absolute error of the library, 1e-9, is close to small rates.
  private static final double ACCURACY = 1e-15;

  private Binomial() {}

  /**
   * Returns the probability of at least {@code hits} hits if each trial is a hit with probability
   * {@code rate}.
   */
  public static double atLeast(long hits, long trials, double rate) {
    if (hits <= 0 || rate >= 1) {
      return 1;
    }
    return hits > trials || rate <= 0
        ? 0
        : Beta.regularizedBeta(rate, (double) hits, trials - hits + 1.0);
  }

  /**
   * Returns the probability of at most {@code hits} hits if each trial is a hit with probability
   * {@code rate}.
   */
  public static double atMost(long hits, long trials, double rate) {
    if (hits >= trials || rate <= 0) {
      return 1;
    }
    return hits < 0 || rate >= 1
        ? 0
        : Beta.regularizedBeta(1 - rate, (double) (trials - hits), hits + 1.0);
  }

  /**
   * Returns the smallest number of hits that is too large for a rate: at least as many have a
   * probability below {@code alpha}. It is one more than the number of trials if there is none.
   */
  public static long firstAbove(double rate, long trials, double alpha) {
    long within = 0;
    long above = trials + 1;
    while (above - within > 1) {
      long middle = (within + above) >>> 1;
      if (atLeast(middle, trials, rate) < alpha) {
        above = middle;
      } else {
        within = middle;
      }
    }
    return above;
  }

  /**
   * Returns the largest number of hits that is too small for a rate: at most as many have a
   * probability below {@code alpha}. It is -1 if there is none.
   */
  public static long lastBelow(double rate, long trials, double alpha) {
    long below = -1;
    long within = trials;
    while (within - below > 1) {
      long middle = (within + below) >>> 1;
      if (atMost(middle, trials, rate) < alpha) {
        below = middle;
      } else {
        within = middle;
      }
    }
    return below;
  }

  /**
   * Returns the rate at which at least {@code hits} hits have the given probability, or 0 if there
   * are no hits. With half of the error probability, it is the lower limit of the interval of
   * Clopper and Pearson, 1934, doi.org/10.1093/biomet/26.4.404.
   */
  public static double lowest(long hits, long trials, double probability) {
    return hits <= 0 ? 0 : quantile((double) hits, trials - hits + 1.0, probability);
  }

  /**
   * Returns the rate at which at most {@code hits} hits have the given probability, or 1 if all
   * trials are hits. With half of the error probability, it is the upper limit of the interval.
   */
  public static double highest(long hits, long trials, double probability) {
    return hits >= trials ? 1 : quantile(hits + 1.0, (double) trials - hits, 1 - probability);
  }

  private static double quantile(double alpha, double beta, double probability) {
    return new BetaDistribution(null, alpha, beta, ACCURACY)
        .inverseCumulativeProbability(probability);
  }
}
