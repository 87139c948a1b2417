package io.bloomery.conformance.statistics;

import org.apache.commons.math3.distribution.BetaDistribution;
import org.apache.commons.math3.special.Beta;

/**
 * The exact tails of the binomial distribution, and the limits and intervals that follow from them.
 *
 * <p>The tests of commons-math count trials by int and take a tail as the difference of 1 and the
 * other tail, which leaves few digits of 1e-13. These tails keep their digits however small.
 */
public final class Binomial {

  // The library stops at an absolute error of 1e-9 otherwise, which small rates are close to.
  private static final double ACCURACY = 1e-15;

  private Binomial() {}

  /** Returns the probability of so many hits or more, if each trial is a hit with {@code rate}. */
  public static double atLeast(long hits, long trials, double rate) {
    if (hits <= 0 || rate >= 1) {
      return 1;
    }
    return hits > trials || rate <= 0
        ? 0
        : Beta.regularizedBeta(rate, (double) hits, trials - hits + 1.0);
  }

  /** Returns the probability of so many hits or fewer, if each trial is a hit with {@code rate}. */
  public static double atMost(long hits, long trials, double rate) {
    if (hits >= trials || rate <= 0) {
      return 1;
    }
    return hits < 0 || rate >= 1
        ? 0
        : Beta.regularizedBeta(1 - rate, (double) (trials - hits), hits + 1.0);
  }

  /**
   * Returns the smallest number of hits that is too many for a rate: so many or more come with a
   * probability below {@code alpha}. It is one more than there are trials if no number is.
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
   * Returns the largest number of hits that is too few for a rate: so many or fewer come with a
   * probability below {@code alpha}. It is -1 if even none is enough.
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
   * Returns the rate at which so many hits or more come with the given probability, 0 if there are
   * none. With half of the error allowed it is the lower end of the interval of Clopper and
   * Pearson, 1934, doi.org/10.1093/biomet/26.4.404.
   */
  public static double lowest(long hits, long trials, double probability) {
    return hits <= 0 ? 0 : quantile((double) hits, trials - hits + 1.0, probability);
  }

  /**
   * Returns the rate at which so many hits or fewer come with the given probability, 1 if all
   * trials are hits. With half of the error allowed it is the upper end of the interval.
   */
  public static double highest(long hits, long trials, double probability) {
    return hits >= trials ? 1 : quantile(hits + 1.0, (double) trials - hits, 1 - probability);
  }

  private static double quantile(double alpha, double beta, double probability) {
    return new BetaDistribution(null, alpha, beta, ACCURACY)
        .inverseCumulativeProbability(probability);
  }
}
