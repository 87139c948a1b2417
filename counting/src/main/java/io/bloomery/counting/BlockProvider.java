package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.HeapLimit;
import io.bloomery.internal.RecentValues;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/** The common part of the providers of {@link CounterBlockFilter}s. */
abstract sealed class BlockProvider implements FilterProvider
    permits CountingProvider, FastCountingProvider {
  // decisions.md#there-are-two-layouts-chosen-as-two-variants

  /**
   * An upper bound for the growth of a filter by the expected keys, which is a factor of 1.03 at
   * most.
   */
  private static final long SPILLED_AT_MOST = 2;

  private final RecentValues<FilterSpec, CountingLayout> layouts =
      new RecentValues<>(spec -> sizing().smallest(spec));

  /** Returns the sizing of this variant. */
  abstract CountingSizing sizing();

  /** Creates a filter of a layout for which the heap has room. */
  abstract CounterBlockFilter<?> make(
      FilterSpec spec, CountingLayout layout, ThreadMode mode, FilterLimits limits);

  /** Reads a filter of a layout. */
  abstract CounterBlockFilter<?> read(
      FilterSpec spec, CountingLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException;

  /** Checks a payload without storing it. */
  abstract void check(CountingLayout layout, PayloadInput in) throws IOException;

  @Override
  public final Optional<long[]> positions(long hash, long bits, int probes) {
    return Optional.of(
        BlockProbes.positions(hash, bits / Long.SIZE, probes / CountingLayout.BLOCK_WORDS));
  }

  @Override
  public final FilterPlan plan(FilterSpec spec) {
    return new CountingPlan(variant(), spec, layouts.get(spec));
  }

  @Override
  public final Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    CountingLayout layout = layouts.get(spec);
    limits.check(layout.bytesOfBlocks());
    checkHeap(spec, layout);
    try {
      return make(spec, layout, mode, limits);
    } catch (OutOfMemoryError e) {
      // An array did not fit, or those that did left no room for anything else; they are
      // unreachable by now.
      throw HeapLimit.tooLowFor("a filter", layout.bytesOfBlocks());
    }
  }

  /**
   * Rejects a filter that does not fit in the heap together with the blocks that the expected keys
   * spill: a filter has several arrays, of which the first ones would be allocated before one
   * fails.
   */
  private static void checkHeap(FilterSpec spec, CountingLayout layout) {
    long heap = Runtime.getRuntime().maxMemory();
    // Most filters are far smaller, and the number of spilled blocks takes longer to compute than a
    // filter to create.
    if (layout.bytesOfBlocks() > heap / SPILLED_AT_MOST) {
      long bytes = CountingSizing.payloadBytes(layout, spec.expectedKeys());
      if (HeapLimit.isBelow(bytes)) {
        throw HeapLimit.tooLowFor("a filter with as many keys as are expected,", bytes);
      }
    }
  }

  @Override
  public final Filter read(
      FilterSpec spec, FilterLayout numbers, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    return read(spec, layout(numbers, in), in, mode, limits);
  }

  @Override
  public final void check(FilterSpec spec, FilterLayout numbers, PayloadInput in)
      throws IOException {
    check(layout(numbers, in), in);
  }

  @Override
  public final FilterView map(FilterSpec spec, FilterLayout numbers, PayloadInput in)
      throws IOException {
    CountingLayout layout = layout(numbers, in);
    CounterFormat.checkSize(layout, in);
    return new MappedCounting(MappedTable.map(layout.bits(), in), spec, layout);
  }

  private CountingLayout layout(FilterLayout numbers, PayloadInput in)
      throws FilterFormatException {
    try {
      return CountingLayout.of(numbers, sizing().countBits());
    } catch (IllegalArgumentException e) {
      throw in.malformed(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }
}
