package io.bloomery.window;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;

/** The plan of a window: three filters of one plan. */
record SlidingPlan(FilterSpec spec, FilterPlan generation) implements FilterPlan {

  @Override
  public String variant() {
    return generation.variant();
  }

  @Override
  public long sizeInBits() {
    return Math.multiplyExact(generation.sizeInBits(), Extent.GENERATIONS);
  }

  @Override
  public long heapBytes() {
    return Math.multiplyExact(generation.heapBytes(), Extent.GENERATIONS);
  }

  @Override
  public int probes() {
    return generation.probes() * Extent.GENERATIONS;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return -Math.expm1(Extent.GENERATIONS * Math.log1p(-generation.falsePositiveRate(keys)));
  }

  @Override
  public FilterDescription description() {
    return FilterDescription.of("three filters, the oldest of which is forgotten as a whole", "");
  }

  @Override
  public String toString() {
    return "three filters, each " + generation;
  }
}
