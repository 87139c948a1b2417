package io.bloomery.window;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.UnexpectedFilterException;
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
  public SlidingPlan plan() {
    return PossibleWindow.plan(filters, nanos);
  }

  /** Returns what hashes the keys. */
  public KeyHasher<? super K> hasher() {
    return filters.filters().hasher();
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
    empty.add(new HeapGeneration(first.filter(), 0, 0));
    for (int i = 1; i < Extent.GENERATIONS; i++) {
      empty.add(new HeapGeneration(generation.create().filter(), 0, 0));
    }
    return new SlidingBloomFilter<>(
        new SlidingFilter(
            spec, new Extent(spec.expectedKeys(), nanos), empty, false, 0, clock, Durability.NONE),
        hasher);
  }

  /**
   * Opens a window that lives in its file, or creates it, as {@link #openOrCreate(Path, Duration)}
   * does, without waiting for its lock.
   */
  public LiveSlidingBloomFilter<K> openOrCreate(Path path) throws IOException {
    return openOrCreate(path, Duration.ZERO);
  }

  /**
   * Opens a window that lives in its file, or creates an empty one if there is no file, as several
   * processes may at the same time. All its blocks are written when it is made, so that a disk that
   * is full later loses nothing.
   *
   * @param patience the maximum time to wait for the lock of the file; zero not to wait
   * @throws IllegalArgumentException as for {@link #plan}, or if the variant does not live in its
   *     file
   * @throws UnexpectedFilterException if the file has keys of another type or hash, or was made for
   *     another variant, number of keys, rate or time; the message has which
   * @throws IOException as for {@link SlidingBloomFilter#openLive(io.bloomery.Filters, Path,
   *     Duration)}, or if the file cannot be made; nothing is left of it then
   */
  public LiveSlidingBloomFilter<K> openOrCreate(Path path, Duration patience) throws IOException {
    FilterSpec spec = plan().spec();
    Extent extent = new Extent(spec.expectedKeys(), nanos);
    FilterHeader empty = PossibleWindow.generation(filters, extent, spec).liveHeader();
    Filters<K> opening = filters.filters().confined();
    return new LiveSlidingBloomFilter<>(
        new NewLiveWindow(empty, spec, extent)
            .openOrCreate(
                path, patience, opening::mapPart, (variant, found, foundExtent) -> {}, clock),
        opening.hasher());
  }
}
