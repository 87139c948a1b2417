package io.bloomery.conformance;

import io.bloomery.FilterPlan;

/**
 * What the false-positive rate, averaged over some filters, stays below if its expectation is the
 * rate asked.
 *
 * <p>The rate of one filter varies with how its n keys happen to fall. Where a rate is the k-th
 * power of a load that n independent keys make up, be it of a table or on average of many blocks,
 * its relative standard deviation is at most about {@code k / sqrt(n)} (for one table it is {@code
 * 0.46 sqrt(k / n)}), and that of an average over T filters {@code sqrt(T)} times less. The bound
 * lies 7.1 of these above the rate asked, which chance exceeds with probability 10^-12. Nothing is
 * added for any bias.
 */
final class RateBound {

  private static final double DEVIATIONS = 7.1;

  private RateBound() {}

  static double of(FilterPlan plan, int filters) {
    long keys = plan.spec().expectedKeys();
    return plan.spec().falsePositiveRate() * (1 + slack(keys, plan.probes(), filters));
  }

  static double slack(long keys, int probes, int filters) {
    return DEVIATIONS * probes / Math.sqrt((double) keys * filters);
  }
}
