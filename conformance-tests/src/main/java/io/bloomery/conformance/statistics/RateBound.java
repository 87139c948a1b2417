package io.bloomery.conformance.statistics;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;

/**
 * What the false-positive rate, averaged over some filters, stays below if its expectation is the
 * rate asked.
 *
 * <p>Where each trial has a filter of its own, trials are independent and nothing is allowed.
 * Otherwise the rate of one filter varies with how its n keys happen to fall. Where a rate is the
 * k-th power of a load that n independent keys make up, be it of a table or on average of many
 * blocks, its relative standard deviation is at most about {@code k / sqrt(n)} (for one table it is
 * {@code 0.46 sqrt(k / n)}), and that of an average over T filters {@code sqrt(T)} times less. The
 * bound lies 7.4 of these above the rate asked, which chance exceeds with probability 10^-13.
 * Nothing is added for any bias.
 */
public final class RateBound {

  private static final double DEVIATIONS = 7.4;

  private RateBound() {}

  /** Returns the bound for filters filled as planned. */
  public static double of(FilterPlan plan, RateSample sample) {
    return plan.spec().falsePositiveRate() * (1 + slack(sample));
  }

  /**
   * Returns the bound for one filter of one table that holds the expected keys. Of blocks the
   * fullest decides at low rates, and nothing is known.
   */
  public static double ofOneTable(FilterPlan plan) {
    FilterSpec spec = plan.spec();
    return spec.falsePositiveRate() * (1 + slack(plan.probes(), (double) spec.expectedKeys()));
  }

  /** Returns by which share the rate of a sample may lie above its expectation. */
  public static double slack(RateSample sample) {
    return sample.filters() == sample.trials()
        ? 0
        : slack(sample.probes(), (double) sample.keys() * sample.filters());
  }

  private static double slack(int probes, double keys) {
    return DEVIATIONS * probes / Math.sqrt(keys);
  }
}
