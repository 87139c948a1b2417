package io.bloomery.window;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyHasher;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A builder of new sliding Bloom filters. Builders are immutable: each method returns a new one.
 *
 * @param <K> the type of keys
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation: whoever lacks it is not told, and needs nothing
public final class SlidingBloomFilterBuilder<K> {

  private final FilterBuilder<K> filters;
  private final long nanos;
  private final WindowClock clock;

  private SlidingBloomFilterBuilder(FilterBuilder<K> filters, long nanos, WindowClock clock) {
    this.filters = filters;
    this.nanos = nanos;
    this.clock = clock;
  }

  static <K> SlidingBloomFilterBuilder<K> of(FilterBuilder<K> filters) {
    // Overrides the mode set before: puts exclude each other, but queries run concurrently.
    return new SlidingBloomFilterBuilder<>(
        Objects.requireNonNull(filters, "filters").shared(), Extent.BY_KEYS, WindowClock.SYSTEM);
  }

  /**
   * Sets a time for which keys are remembered, in place of a number of keys: the expected keys are
   * then those of each such time.
   *
   * @param time from 1 ms to 25,000 days
   * @throws IllegalArgumentException if the time is shorter or longer
   */
  public SlidingBloomFilterBuilder<K> lasting(Duration time) {
    return new SlidingBloomFilterBuilder<>(filters, Extent.nanos(time), clock);
  }

  /**
   * Sets the clock for the age of keys while the window is in memory: {@link System#nanoTime} by
   * default, so that a change of the wall clock does not make it forget. If the ticker goes back,
   * no time passes.
   *
   * @param nanos nanoseconds from an arbitrary origin
   */
  public SlidingBloomFilterBuilder<K> ticker(LongSupplier nanos) {
    return new SlidingBloomFilterBuilder<>(
        filters, this.nanos, new WindowClock(Objects.requireNonNull(nanos, "nanos"), clock.wall()));
  }

  /**
   * Sets the wall clock for the age of keys between {@link SlidingBloomFilter#save} and {@link
   * SlidingBloomFilter#open}: {@link Clock#systemUTC} by default. If it shows an earlier time when
   * the file is opened, no time has passed.
   */
  public SlidingBloomFilterBuilder<K> clock(Clock wall) {
    return new SlidingBloomFilterBuilder<>(
        filters, nanos, new WindowClock(clock.ticker(), Objects.requireNonNull(wall, "wall")));
  }

  /**
   * Plans the window without creating it: the size is that of its three filters, and the rate that
   * of all three when each has the given number of keys.
   *
   * @throws IllegalArgumentException if the window is not possible; the message names a possible
   *     one; or if filters of the variant grow, count or are built once
   */
  public FilterPlan plan() {
    return PossibleWindow.plan(filters, nanos);
  }

  /**
   * Creates an empty window.
   *
   * @throws IllegalArgumentException as for {@link #plan}
   */
  public SlidingBloomFilter<K> create() {
    FilterSpec spec = plan().spec();
    FilterBuilder<K> generation =
        PossibleWindow.generation(filters, new Extent(spec.expectedKeys(), nanos), spec);
    List<Generation> empty = new ArrayList<>();
    BloomFilter<K> first = generation.create();
    KeyHasher<? super K> hasher = first.hasher();
    empty.add(new Generation(first.filter(), 0, 0));
    for (int i = 1; i < Extent.GENERATIONS; i++) {
      empty.add(new Generation(generation.create().filter(), 0, 0));
    }
    return new SlidingBloomFilter<>(
        new SlidingFilter(spec, new Extent(spec.expectedKeys(), nanos), empty, false, 0, clock),
        hasher);
  }
}
