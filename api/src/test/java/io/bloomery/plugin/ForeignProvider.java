package io.bloomery.plugin;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;

/** A provider that only the application knows; its filters do not matter. */
public final class ForeignProvider implements FilterProvider {

  public ForeignProvider() {}

  @Override
  public String variant() {
    return "foreign";
  }

  @Override
  public Class<? extends Filter> filterType() {
    return Filter.class;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    throw new AssertionError();
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    throw new AssertionError();
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits) {
    throw new AssertionError();
  }
}
