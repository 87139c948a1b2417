package io.bloomery.plugin;

import io.bloomery.Filter;
import io.bloomery.FilterLimits;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.PayloadInput;
import io.bloomery.ThreadMode;
import java.util.Map;

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
      FilterSpec spec,
      Map<String, Long> layout,
      PayloadInput in,
      ThreadMode mode,
      FilterLimits limits) {
    throw new AssertionError();
  }
}
