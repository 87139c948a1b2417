package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;

/**
 * Provides the counting Bloom filter with the fastest puts and removes: 26 bits per key at a rate
 * of 1 %, where {@link CountingProvider} takes 20. Queries are equally fast.
 *
 * <p>In all other respects it is the same: exact counters that never overflow, keys that can be
 * removed as often as they were put, and merges that add counts, but only of filters of this
 * variant.
 */
public final class FastCountingProvider extends BlockProvider {

  static final String VARIANT = "counting-fast";

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public FastCountingProvider() {}

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public Class<? extends Filter> filterType() {
    return FastCountingFilter.class;
  }

  @Override
  CountingSizing sizing() {
    return CountingSizing.FAST;
  }

  @Override
  FastCountingFilter make(
      FilterSpec spec, CountingLayout layout, ThreadMode mode, FilterLimits limits) {
    return FastCountingFilter.make(
        spec, layout, limits, mode, stripes -> FastCounters.empty(layout, limits, stripes));
  }

  @Override
  FastCountingFilter read(
      FilterSpec spec, CountingLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return FastCountingFilter.make(
        spec, layout, limits, mode, stripes -> ListRecords.read(layout, in, limits, stripes));
  }

  @Override
  void check(CountingLayout layout, PayloadInput in) throws IOException {
    ListRecords.check(layout, in);
  }
}
