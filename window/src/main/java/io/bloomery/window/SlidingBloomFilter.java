package io.bloomery.window;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A sliding Bloom filter: it contains the most recent keys and forgets older ones. Its window is
 * the last N distinct keys, or the last time T.
 *
 * <pre>{@code
 * SlidingBloomFilter<String> seen =
 *     SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000).fpp(1e-6)).create();
 * boolean isNew = seen.put(id); // false for each of the last million different ids
 * }</pre>
 *
 * <p>A key is always <b>remembered</b> if it is among the last N distinct keys put, or was put less
 * than T ago. A time is kept for any number of keys: with more than were expected for each T the
 * rate rises, which {@link #stats} reports, but no key is forgotten early.
 *
 * <p>A key is <b>forgotten</b> at the latest when 1.5 N (rounded up) others have been put that were
 * not remembered before, or 1.5 T have passed. In between it may be remembered or not.
 *
 * <p>Both count from the last put. {@link #put} of a remembered key resets its age: a key that
 * comes again within every T is never forgotten. {@link #putIfAbsent} leaves its age, and puts only
 * a key that is not remembered: both then count from the last call that returned true, so that the
 * same key is new again within 1.5 T. A query resets no age.
 *
 * <p>The probability of a false positive, for a key that is not remembered, is at most the
 * requested rate. The memory is that of {@link SlidingBloomFilterBuilder#plan}, from the first key
 * on.
 *
 * <p>This class is thread-safe. A put that has returned is visible to every later query. Queries
 * never wait. Puts that change anything exclude each other, and wait while the window is saved, or
 * a generation is forgotten, which clears a third of the memory and happens once for N/2 new keys,
 * or for T/2; puts of recent keys wait only for the latter, or where it is due, and {@link
 * #putIfAbsent} of a remembered key never waits. The put that makes the window forget a generation
 * afterwards reads a third of the memory for statistics, for which nothing else waits. Of
 * concurrent puts of one key at most one returns true, and exactly one if the key is not a false
 * positive of others. A null key causes a NullPointerException before anything changes; a call that
 * throws changes nothing.
 *
 * <p>The definition (true for the last n keys, rarely true for keys older than n + m, either in
 * between) is that of M. Naor and E. Yogev, "Sliding Bloom Filters", 2013, <a
 * href="https://doi.org/10.1007/978-3-642-45030-3_48">doi.org/10.1007/978-3-642-45030-3_48</a>;
 * here m is n/2. It is not a {@link io.bloomery.BloomFilter}, which never forgets, but can be
 * queried like one, as a {@link BloomFilterView}.
 *
 * @param <K> the type of keys
 */
public sealed class SlidingBloomFilter<K> implements BloomFilterView<K>
    permits LiveSlidingBloomFilter {

  private final SlidingFilter filter;
  private final KeyHasher<? super K> hasher;

  SlidingBloomFilter(SlidingFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a builder of a new window.
   *
   * @param filters the type and hashing of its keys, the number of keys to remember (N, or the
   *     number expected for each T), the rate, the variant of its filters (which must neither grow
   *     nor count), and attributes. {@link FilterBuilder#maxBytes} limits each of its three
   *     filters.
   */
  public static <K> SlidingBloomFilterBuilder<K> builder(FilterBuilder<K> filters) {
    return SlidingBloomFilterBuilder.of(filters);
  }

  /**
   * Opens a saved window of any extent, with the clocks of the system: the number of keys or the
   * time, and the rate, are read from the file.
   *
   * @param filters the type and hashing of its keys; {@link Filters#maxBytes} limits each of its
   *     three filters
   * @throws FilterFormatException if the file is not a window, or is damaged
   * @throws io.bloomery.file.UnexpectedFilterException if it has keys of another type or hash, its
   *     filters are larger than allowed, or their variant is not installed, grows or counts
   * @throws IOException if the file cannot be read
   */
  public static <K> SlidingBloomFilter<K> open(Filters<K> filters, Path path) throws IOException {
    return open(filters, path, WindowClock.SYSTEM);
  }

  /**
   * Opens a saved window as {@link #open(Filters, Path)} does, with other clocks.
   *
   * @param ticker as for {@link SlidingBloomFilterBuilder#ticker}
   * @param wall as for {@link SlidingBloomFilterBuilder#clock}
   * @throws IOException as for {@link #open(Filters, Path)}
   */
  public static <K> SlidingBloomFilter<K> open(
      Filters<K> filters, Path path, LongSupplier ticker, Clock wall) throws IOException {
    return open(
        filters,
        path,
        new WindowClock(
            Objects.requireNonNull(ticker, "ticker"), Objects.requireNonNull(wall, "wall")));
  }

  private static <K> SlidingBloomFilter<K> open(Filters<K> filters, Path path, WindowClock clock)
      throws IOException {
    // Overrides the mode set before: puts exclude each other, but queries run concurrently.
    Filters<K> shared = filters.shared();
    List<KeyHasher<? super K>> hashers = new ArrayList<>();
    SlidingFilter filter =
        SlidingFile.open(
            path,
            (in, length) -> {
              BloomFilter<K> generation = length < 0 ? shared.read(in) : shared.read(in, length);
              hashers.add(generation.hasher());
              return generation.filter();
            },
            clock);
    return new SlidingBloomFilter<>(filter, hashers.get(0));
  }

  /**
   * Opens a window that lives in its file, as {@link #openLive(Filters, Path, Duration)} does,
   * without waiting for its lock.
   */
  public static <K> LiveSlidingBloomFilter<K> openLive(Filters<K> filters, Path path)
      throws IOException {
    return openLive(filters, path, Duration.ZERO);
  }

  /**
   * Opens a window of any extent that lives in its file, with the clocks of the system. {@link
   * SlidingBloomFilterBuilder#openOrCreate} makes one.
   *
   * @param filters as for {@link #open(Filters, Path)}
   * @param patience the maximum time to wait for the lock of the file; zero not to wait
   * @throws io.bloomery.file.FilterLockedException if the lock was not acquired in that time; the
   *     message has the process that has the file open
   * @throws java.io.InterruptedIOException if the thread is interrupted while waiting
   * @throws FilterFormatException if the file is not a live window, or is damaged
   * @throws io.bloomery.file.UnexpectedFilterException as for {@link #open(Filters, Path)}
   * @throws IOException if the file cannot be read, written or mapped
   */
  public static <K> LiveSlidingBloomFilter<K> openLive(
      Filters<K> filters, Path path, Duration patience) throws IOException {
    return new LiveSlidingBloomFilter<>(
        LiveWindow.open(
            path,
            patience,
            filters.confined()::mapPart,
            (variant, spec, extent) -> {},
            WindowClock.SYSTEM),
        filters.hasher());
  }

  private long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Puts a key, and resets its age if it is remembered: use this for keys that are new if they were
   * not seen for a while.
   *
   * @return true if the key was certainly not remembered
   */
  public boolean put(K key) {
    return filter.put(hash(key));
  }

  /**
   * Puts a key unless it is remembered, in which case it keeps its age: use this for keys that are
   * new again from time to time, however often they come, such as alerts to repeat once a day.
   *
   * <p>A key that returns false as a false positive is not put, and returns false again until what
   * it was taken for is forgotten.
   *
   * @return true if the key was certainly not remembered, and was put
   */
  public boolean putIfAbsent(K key) {
    return filter.putIfAbsent(hash(key));
  }

  /** Returns false only if the key is certainly not remembered. */
  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hash(key));
  }

  @Override
  public List<K> select(Collection<? extends K> keys) {
    return filter.batch(() -> selected(keys));
  }

  private List<K> selected(Collection<? extends K> keys) {
    List<K> selected = new ArrayList<>();
    int index = 0;
    for (K key : Objects.requireNonNull(keys, "keys must not be null")) {
      if (key == null) {
        throw new NullPointerException(
            "keys must not be null, but key " + index + " is; leave it out");
      }
      if (mightContain(key)) {
        selected.add(key);
      }
      index++;
    }
    return selected;
  }

  /** {@inheritDoc} {@link SlidingFilter#stats} has the details. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the requested number of keys and rate of the whole window. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns the time for which keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return filter.time();
  }

  /** Returns the window of hashes behind this one. */
  public SlidingFilter filter() {
    return filter;
  }

  /**
   * Saves this window to a file, atomically: after a failure the file is either unchanged or
   * complete. The file has a consistent snapshot; puts wait until it is written, but not until it
   * is durable on the disk, and queries do not wait.
   *
   * <p>{@link #open(Filters, Path)} opens it again. A window of a time is then older by the
   * wall-clock time that has passed.
   *
   * @throws IOException if the file cannot be written; it is then unchanged
   */
  public void save(Path path) throws IOException {
    filter.save(path);
  }

  /** Returns a description of the window. */
  @Override
  public String toString() {
    return filter.toString();
  }
}
