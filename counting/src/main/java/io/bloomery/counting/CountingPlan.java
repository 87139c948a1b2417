package io.bloomery.counting;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.PlanText;

/** The plan of a counting filter. */
record CountingPlan(String variant, FilterSpec spec, CountingLayout layout) implements FilterPlan {

  @Override
  public long sizeInBits() {
    return CountingSizing.payloadBytes(layout, spec.expectedKeys()) * Byte.SIZE;
  }

  @Override
  public long heapBytes() {
    return CountingSizing.heapBytes(layout, spec.expectedKeys());
  }

  @Override
  public int probes() {
    return layout.probes();
  }

  @Override
  public FilterDescription description() {
    return layout.description();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return CountingSizing.rate(layout, keys);
  }

  @Override
  public String toString() {
    return PlanText.of(
        variant(),
        spec.expectedKeys(),
        spec.falsePositiveRate(),
        sizeInBits(),
        probes(),
        falsePositiveRate(spec.expectedKeys()));
  }
}
