package io.bloomery.conformance.unusual;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fuse.FuseProvider;
import java.io.IOException;
import java.util.stream.LongStream;

/** A provider of fuse filters, for subclasses that do one thing otherwise. */
public class ForwardingFuse implements StaticFilterProvider {

  private final FuseProvider fuse = new FuseProvider();

  @Override
  public String variant() {
    return fuse.variant();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return fuse.plan(spec);
  }

  @Override
  public Class<? extends StoredFilter> filterType() {
    return fuse.filterType();
  }

  @Override
  public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
    return fuse.build(spec, hashes, limits);
  }

  @Override
  public StoredFilter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return fuse.read(spec, layout, in, mode, limits);
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return fuse.map(spec, layout, in);
  }

  @Override
  public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    read(spec, layout, in, ThreadMode.CONFINED, FilterLimits.HEAP);
  }
}
