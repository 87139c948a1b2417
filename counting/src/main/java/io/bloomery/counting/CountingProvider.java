package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.PlanText;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * Provides the counting Bloom filter, whose keys can be removed and counted: 20 bits a key at a
 * rate of 1 %, twice what a filter takes that cannot remove.
 *
 * <p>Its filters are {@link io.bloomery.filter.RemovableFilter}s with exact counters that have no
 * highest value, and {@link io.bloomery.filter.MergeableFilter}s that add counts. A put of a key
 * that is there already counts, too: remove it as often as it was put. Its counters grow by the
 * logarithm of how often: if all keys are put a million times, to 300 bits a key.
 *
 * <p>Removing a key that was never put, but happens to be a false positive, cannot be detected: it
 * takes counts away from keys that share its positions, and those may then be missed. Remove only
 * what was put.
 *
 * <p>Sources: Fan, Cao, Almeida and Broder, 2000, doi.org/10.1109/90.851975; blocks: Putze, Sanders
 * and Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class CountingProvider implements FilterProvider {

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
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return Optional.of(
        BlockProbes.positions(hash, bits / Long.SIZE, probes / CountingLayout.BLOCK_WORDS));
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return new CountingPlan(spec, CountingSizing.smallest(spec));
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    CountingLayout layout = CountingSizing.smallest(spec);
    limits.check(layout.bytesOfBlocks());
    long heap = Runtime.getRuntime().maxMemory();
    if (layout.bytesOfBlocks() > heap) {
      throw new IllegalArgumentException(
          "the heap must have room for blocks of "
              + layout.bytesOfBlocks()
              + " bytes, but is limited to "
              + heap
              + "; raise -Xmx, or ask for fewer keys or a higher rate");
    }
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> new Counters(layout, limits, stripes));
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout numbers, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    CountingLayout layout = layout(numbers, in);
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> CounterFormat.read(layout, in, limits, stripes));
  }

  @Override
  public void check(FilterSpec spec, FilterLayout numbers, PayloadInput in) throws IOException {
    CounterFormat.check(layout(numbers, in), in);
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout numbers, PayloadInput in) throws IOException {
    CountingLayout layout = layout(numbers, in);
    CounterFormat.checkSize(layout, in);
    return new MappedCounting(MappedTable.map(layout.bits(), in), spec, layout);
  }

  private static CountingLayout layout(FilterLayout numbers, PayloadInput in)
      throws FilterFormatException {
    try {
      return CountingLayout.of(numbers);
    } catch (IllegalArgumentException e) {
      throw in.malformed(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }

  private record CountingPlan(FilterSpec spec, CountingLayout layout) implements FilterPlan {

    @Override
    public String variant() {
      return VARIANT;
    }

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
}
