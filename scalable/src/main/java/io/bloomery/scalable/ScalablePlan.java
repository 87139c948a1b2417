package io.bloomery.scalable;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.PlanText;

/** The plan of a scalable filter: that of its first layer, and the compound rate. */
record ScalablePlan(LayerPlan layerPlan, FilterPlan first) implements FilterPlan {

  @Override
  public FilterSpec spec() {
    return layerPlan.spec();
  }

  @Override
  public String variant() {
    return ScalableProvider.VARIANT;
  }

  /** {@inheritDoc} This is the size of the first layer, which a filter begins with. */
  @Override
  public long sizeInBits() {
    return first.sizeInBits();
  }

  /**
   * {@inheritDoc} This is the number for the first layer; a query also reads each further layer.
   */
  @Override
  public int probes() {
    return first.probes();
  }

  /**
   * {@inheritDoc} It is the compound rate of the layers that the keys need, at most the requested
   * rate for any number of keys. A filter that has reached a limit takes no more keys, and its rate
   * stays the same.
   */
  @Override
  public double falsePositiveRate(long keys) {
    double rate = 0;
    long bytes = 0;
    long left = keys;
    for (int i = 0; left > 0 && i < layerPlan.layout().maxLayers(); i++) {
      FilterPlan plan;
      try {
        plan = layerPlan.plan(i);
      } catch (IllegalArgumentException e) {
        // The filter cannot grow to this layer.
        return rate;
      }
      bytes += plan.sizeInBits() / Byte.SIZE;
      if (bytes > layerPlan.layout().maxBytes()) {
        return rate;
      }
      long full = layerPlan.keys(i);
      rate = either(rate, plan.falsePositiveRate(left <= full ? left : plan.spec().expectedKeys()));
      left -= Math.min(left, full);
    }
    return rate;
  }

  @Override
  public FilterDescription description() {
    return layerPlan.description(first.description(), 1);
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

  /** Returns the probability that at least one of two independent events occurs. */
  static double either(double one, double other) {
    return one + other - one * other;
  }
}
