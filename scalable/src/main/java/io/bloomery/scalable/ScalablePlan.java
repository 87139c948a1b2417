package io.bloomery.scalable;

import io.bloomery.FilterPlan;
import io.bloomery.FilterSpec;

/** What is known of a scalable filter before it is built: all of its first slice, and its rates. */
record ScalablePlan(Series series, FilterPlan first) implements FilterPlan {

  @Override
  public FilterSpec spec() {
    return series.spec();
  }

  @Override
  public String variant() {
    return ScalableProvider.VARIANT;
  }

  /** {@inheritDoc} This is the first slice, with which a filter begins. */
  @Override
  public long sizeInBits() {
    return first.sizeInBits();
  }

  /** {@inheritDoc} This is for the first slice; a query asks each further one as well. */
  @Override
  public int probes() {
    return first.probes();
  }

  /**
   * {@inheritDoc} Counts the slices that so many keys need, and is at most the rate asked, whatever
   * their number. A filter that has reached a limit takes no more keys, and keeps the rate it has.
   */
  @Override
  public double rate(long keys) {
    double rate = 0;
    long bytes = 0;
    long left = keys;
    for (int i = 0; left > 0 && i < series.layout().mostSlices(); i++) {
      FilterPlan plan;
      try {
        plan = series.plan(i);
      } catch (IllegalArgumentException e) {
        // The filter cannot grow so far.
        return rate;
      }
      bytes += plan.sizeInBits() / Byte.SIZE;
      if (bytes > series.layout().mostBytes()) {
        return rate;
      }
      long full = series.keys(i);
      rate = either(rate, plan.rate(left <= full ? left : plan.spec().expectedKeys()));
      left -= Math.min(left, full);
    }
    return rate;
  }

  /** Returns the chance of one or the other, when they have nothing to do with each other. */
  static double either(double one, double other) {
    return one + other - one * other;
  }
}
