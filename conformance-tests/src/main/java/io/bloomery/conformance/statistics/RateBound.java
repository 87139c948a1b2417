package io.bloomery.conformance.statistics;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;

/**
 * An upper bound on the measured false-positive rate, averaged over some filters, if its
 * expectation is the requested rate.
 *
 * <p>If each trial has a filter of its own, trials are independent and there is no allowance.
 * Otherwise the rate of one filter varies with the positions of its n keys. If a rate is the k-th
 * power of a load to which n independent keys contribute, of one table or on average over many
 * blocks, its relative standard deviation is at most about {@code k / sqrt(n)} (for one table it is
 * {@code 0.46 sqrt(k / n)}), and that of an average over T filters is smaller by a factor of {@code
 * sqrt(T)}. The bound is 7.4 of these above the requested rate, which is exceeded by chance with
 * probability 10^-13. There is no allowance for bias.
 */
public final class RateBound {

  private static final double DEVIATIONS = 7.4;

  private RateBound() {}

  /** Returns the bound for filters filled as planned. */
  public static double of(FilterPlan plan, RateSample sample) {
    return plan.spec().falsePositiveRate() * (1 + slack(sample));
  }

  /**
   * Returns the bound for a single filter with one table that holds the expected keys. It does not
   * apply to blocks, of which the fullest dominates at low rates.
   */
  public static double ofOneTable(FilterPlan plan) {
    FilterSpec spec = plan.spec();
    return spec.falsePositiveRate() * (1 + slack(plan.probes(), (double) spec.expectedKeys()));
  }

  /** Returns the fraction by which the rate of a sample may exceed its expectation. */
  public static double slack(RateSample sample) {
    return sample.filters() == sample.trials()
        ? 0
        : slack(sample.probes(), (double) sample.keys() * sample.filters());
  }

  private static double slack(int probes, double keys) {
    return DEVIATIONS * probes / Math.sqrt(keys);
  }
}
