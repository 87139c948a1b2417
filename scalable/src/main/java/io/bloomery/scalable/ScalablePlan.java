package io.bloomery.scalable;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.PlanText;

/** What is known of a scalable filter before it is built: all of its first slice, and its rates. */
record ScalablePlan(SlicePlan slicePlan, FilterPlan first) implements FilterPlan {

  @Override
  public FilterSpec spec() {
    return slicePlan.spec();
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
  public double falsePositiveRate(long keys) {
    double rate = 0;
    long bytes = 0;
    long left = keys;
    for (int i = 0; left > 0 && i < slicePlan.layout().maxSlices(); i++) {
      FilterPlan plan;
      try {
        plan = slicePlan.plan(i);
      } catch (IllegalArgumentException e) {
        // The filter cannot grow so far.
        return rate;
      }
      bytes += plan.sizeInBits() / Byte.SIZE;
      if (bytes > slicePlan.layout().maxBytes()) {
        return rate;
      }
      long full = slicePlan.keys(i);
      rate = either(rate, plan.falsePositiveRate(left <= full ? left : plan.spec().expectedKeys()));
      left -= Math.min(left, full);
    }
    return rate;
  }

  @Override
  public FilterDescription description() {
    return slicePlan.description(first.description(), 1);
  }

  @Override
  public String toString() {
    return PlanText.of(
        variant(),
        spec().expectedKeys(),
        spec().falsePositiveRate(),
        sizeInBits(),
        probes(),
        falsePositiveRate(spec().expectedKeys()));
  }

  /** Returns the chance of one or the other, when they have nothing to do with each other. */
  static double either(double one, double other) {
    return one + other - one * other;
  }
}
