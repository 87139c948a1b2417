package io.bloomery.conformance.broken;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;

/** A plan that is right until a method is overridden. */
public class PatchedPlan implements FilterPlan {

  private final FilterPlan plan;

  public PatchedPlan(FilterPlan plan) {
    this.plan = plan;
  }

  @Override
  public FilterSpec spec() {
    return plan.spec();
  }

  @Override
  public String variant() {
    return plan.variant();
  }

  @Override
  public long sizeInBits() {
    return plan.sizeInBits();
  }

  @Override
  public int probes() {
    return plan.probes();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return plan.falsePositiveRate(keys);
  }

  @Override
  public FilterDescription description() {
    return plan.description();
  }
}
