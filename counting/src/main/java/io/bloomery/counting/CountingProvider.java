package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;

/**
 * Provides the counting Bloom filter, whose keys can be removed and counted: 20 bits per key at a
 * rate of 1 %, twice those of a filter without removal.
 *
 * <p>Its filters are {@link io.bloomery.filter.RemovableFilter}s with exact counters that never
 * overflow, and {@link io.bloomery.filter.MergeableFilter}s that add counts. Every put of a key
 * counts, even if the filter contains it: remove it as often as it was put. The size of the
 * counters grows with the logarithm of the number of puts of a key: to 300 bits per key if all keys
 * are put a million times.
 *
 * <p>The removal of a key that was never put, but is a false positive, cannot be detected: it
 * decrements counters of other keys, which may then be missed. Remove only keys that were put.
 *
 * <p>Sources: Fan, Cao, Almeida and Broder, 2000, doi.org/10.1109/90.851975; blocks: Putze, Sanders
 * and Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class CountingProvider extends BlockProvider {

  static final String VARIANT = "counting";

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public CountingProvider() {}

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public Class<? extends Filter> filterType() {
    return CountingFilter.class;
  }

  @Override
  CountingSizing sizing() {
    return CountingSizing.SMALL;
  }

  @Override
  CountingFilter make(
      FilterSpec spec, CountingLayout layout, ThreadMode mode, FilterLimits limits) {
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> new Counters(layout, limits, stripes));
  }

  @Override
  CountingFilter read(
      FilterSpec spec, CountingLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> UnaryRecords.read(layout, in, limits, stripes));
  }

  @Override
  void check(CountingLayout layout, PayloadInput in) throws IOException {
    UnaryRecords.check(layout, in);
  }
}
