package io.bloomery.window;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A builder of sliding Bloom filters. Builders do not change: each method returns a new one.
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
    // Whatever was said before: puts take turns, but queries do not.
    return new SlidingBloomFilterBuilder<>(
        Objects.requireNonNull(filters, "filters").shared(), Extent.BY_KEYS, WindowClock.SYSTEM);
  }

  /**
   * Remembers keys for a time, in place of a number of them: the expected keys are then those of
   * each such time.
   *
   * @param time from 1 ms to 25,000 days
   * @throws IllegalArgumentException if it is shorter or longer
   */
  public SlidingBloomFilterBuilder<K> lasting(Duration time) {
    return new SlidingBloomFilterBuilder<>(filters, Extent.nanos(time), clock);
  }

  /**
   * Sets the clock by which keys grow old while the window is in memory: {@link System#nanoTime} if
   * not said, so that a clock of the wall that is set does not make it forget. A ticker that goes
   * back stands still.
   *
   * @param nanos nanoseconds from any start
   */
  public SlidingBloomFilterBuilder<K> ticker(LongSupplier nanos) {
    return new SlidingBloomFilterBuilder<>(
        filters, this.nanos, new WindowClock(Objects.requireNonNull(nanos, "nanos"), clock.wall()));
  }

  /**
   * Sets the clock of the wall, by which keys grow old between {@link SlidingBloomFilter#save} and
   * {@link #open}: {@link Clock#systemUTC} if not said. Where it shows an earlier time when the
   * file is opened, no time has passed.
   */
  public SlidingBloomFilterBuilder<K> clock(Clock wall) {
    return new SlidingBloomFilterBuilder<>(
        filters, nanos, new WindowClock(clock.ticker(), Objects.requireNonNull(wall, "wall")));
  }

  /**
   * Plans the window without creating it: its size is that of its three filters, and its rate that
   * of all three when each holds so many keys.
   *
   * @throws IllegalStateException if {@link FilterBuilder#expect} was not called
   * @throws IllegalArgumentException if no window can be as asked; the message says what could be
   */
  public FilterPlan plan() {
    FilterSpec spec = spec();
    return new SlidingPlan(spec, generation(spec).plan());
  }

  private FilterSpec spec() {
    return filters.plan().spec();
  }

  private FilterBuilder<K> generation(FilterSpec spec) {
    Extent extent = new Extent(spec.expectedKeys(), nanos);
    double rate = extent.rateOfGeneration(spec.falsePositiveRate());
    return filters.expect(extent.keysOfGeneration(rate)).fpp(rate);
  }

  /**
   * Creates an empty window.
   *
   * @throws IllegalStateException if {@link FilterBuilder#expect} was not called
   * @throws IllegalArgumentException as for {@link #plan}, or if the variant grows or counts
   */
  public SlidingBloomFilter<K> create() {
    FilterSpec spec = spec();
    FilterBuilder<K> generation = generation(spec);
    List<Generation> empty = new ArrayList<>();
    BloomFilter<K> first = generation.create();
    SlidingFilter.checkVariant(first.filter());
    KeyHasher<? super K> hasher = first.hasher();
    empty.add(new Generation(first.filter(), 0, 0));
    for (int i = 1; i < Extent.GENERATIONS; i++) {
      empty.add(new Generation(generation.create().filter(), 0, 0));
    }
    return new SlidingBloomFilter<>(
        new SlidingFilter(spec, new Extent(spec.expectedKeys(), nanos), empty, false, 0, clock),
        hasher);
  }

  /**
   * Opens a window that was saved, whatever it remembers: how many keys or for how long, and at
   * which rate, stands in its file.
   *
   * @throws IllegalStateException if {@link #lasting}, or of its filters what only the file says,
   *     was set
   * @throws FilterFormatException if the file is not a window, or is damaged
   * @throws io.bloomery.file.UnexpectedFilterException if it was made for other keys, its filters
   *     are larger than {@link FilterBuilder#maxBytes} allows, or their variant is not installed,
   *     grows or counts
   * @throws IOException if the file cannot be read
   */
  public SlidingBloomFilter<K> open(Path path) throws IOException {
    if (nanos != Extent.BY_KEYS) {
      throw new IllegalStateException(
          "a window that is opened lasts as long as its file says, so that lasting must not be set"
              + " for it, but was; leave out lasting, or create a window");
    }
    List<KeyHasher<? super K>> hashers = new ArrayList<>();
    SlidingFilter filter =
        SlidingFile.open(
            path,
            (in, length) -> {
              BloomFilter<K> generation = length < 0 ? filters.read(in) : filters.read(in, length);
              hashers.add(generation.hasher());
              return generation.filter();
            },
            clock);
    return new SlidingBloomFilter<>(filter, hashers.get(0));
  }
}
