package io.bloomery.window;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The plan of a window: three filters of one plan.
 *
 * @param spec the number of keys and the rate of the whole window
 * @param time the time for which keys are remembered at least; empty if keys are counted
 * @param generation the plan of each of the three filters
 */
public record SlidingPlan(FilterSpec spec, Optional<Duration> time, FilterPlan generation)
    implements FilterPlan {

  /** Checks that nothing is null. */
  public SlidingPlan {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(generation, "generation");
  }

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
