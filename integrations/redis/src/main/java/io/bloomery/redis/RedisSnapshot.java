package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A local read-only copy of a filter on Redis, such as a block list that is rebuilt as a whole:
 * queries take no round trip.
 *
 * <p>It returns false only from a copy of a generation that is {@linkplain RedisFilter#seal
 * sealed}, so that nothing can have been put since, and that was current at most a configured time
 * ago. Otherwise it returns true: before there is such a copy, while another generation is read,
 * and as long as the server does not answer.
 *
 * <p>This class is thread-safe. The first thread that finds the copy too old reads the number of
 * the current generation from the server, and the generation if it is another; queries of other
 * threads meanwhile return true.
 *
 * @param <K> the type of keys
 */
public final class RedisSnapshot<K> implements BloomFilterView<K> {

  private final RedisFilter remote;
  private final BloomFilter<K> keyed;
  private final long maxAgeNanos;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile @Nullable Fetched<K> fetched; // null before the first read
  private volatile @Nullable FilterUnavailableException failure;

  /**
   * The state of the filter as of a time; without a copy if it is not sealed or the server does not
   * answer.
   */
  private record Fetched<K>(
      @Nullable Generation generation, @Nullable BloomFilter<K> copy, long asOf) {}

  private RedisSnapshot(RedisFilter remote, BloomFilter<K> keyed, long maxAgeNanos) {
    this.remote = remote;
    this.keyed = keyed;
    this.maxAgeNanos = maxAgeNanos;
  }

  /**
   * Creates a snapshot of a filter, and reads the filter if it is sealed.
   *
   * @param filter a filter whose {@link BloomFilter#filter} is a {@link RedisFilter}
   * @param maxAge the longest time until a replaced generation is detected
   * @throws IllegalArgumentException if the filter is not on Redis, or the age is not positive
   */
  public static <K> RedisSnapshot<K> of(BloomFilter<K> filter, Duration maxAge) {
    if (!(filter.filter() instanceof RedisFilter remote)) {
      throw new IllegalArgumentException(
          "a snapshot is of a filter on Redis, but this is " + filter + "; copy it instead");
    }
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException("maxAge must be positive, but was " + maxAge);
    }
    RedisSnapshot<K> snapshot = new RedisSnapshot<>(remote, filter, maxAge.toNanos());
    snapshot.fetch();
    return snapshot;
  }

  /** Returns the copy to query, or null: queries then return true. */
  private @Nullable BloomFilter<K> copy() {
    Fetched<K> known = fetched;
    if (known == null || System.nanoTime() - known.asOf() > maxAgeNanos) {
      known = fetch();
    }
    return known == null ? null : known.copy();
  }

  private @Nullable Fetched<K> fetch() {
    if (!fetching.tryLock()) {
      return null;
    }
    try {
      Fetched<K> before = fetched;
      long asOf = System.nanoTime();
      if (before != null && asOf - before.asOf() <= maxAgeNanos) {
        return before; // another thread was faster
      }
      Fetched<K> now = fetched(before, asOf);
      fetched = now;
      return now;
    } finally {
      fetching.unlock();
    }
  }

  private Fetched<K> fetched(@Nullable Fetched<K> before, long asOf) {
    try {
      Generation generation = remote.served().verified();
      failure = null;
      if (!generation.sealed()) {
        return new Fetched<>(generation, null, asOf);
      }
      if (before != null
          && before.copy() != null
          && before.generation() != null
          && before.generation().is(generation)) {
        return new Fetched<>(generation, before.copy(), asOf);
      }
      return new Fetched<>(
          generation, BloomFilter.of(remote.copy(generation), keyed.hasher()), asOf);
    } catch (FilterUnavailableException e) {
      failure = e;
      return new Fetched<>(null, null, asOf);
    }
  }

  /** {@inheritDoc} Never throws for lack of an answer: it then returns true. */
  @Override
  public boolean mightContain(K key) {
    Objects.requireNonNull(key, "key must not be null");
    BloomFilter<K> copy = copy();
    return copy == null || copy.mightContain(key);
  }

  @Override
  public List<K> select(Collection<? extends K> keys) {
    BloomFilter<K> copy = copy();
    return copy == null ? new ArrayList<>(List.copyOf(keys)) : copy.select(keys);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if there is no copy to query; the message has the reason
   */
  @Override
  public FilterStats stats() {
    BloomFilter<K> copy = copy();
    if (copy == null) {
      FilterUnavailableException cause = failure;
      String reason =
          cause == null
              ? "filter '" + remote.name() + "' is not sealed, or just being fetched"
              : String.valueOf(cause.getMessage());
      throw new FilterUnavailableException("a snapshot has nothing to measure: " + reason);
    }
    return copy.stats();
  }

  /** Returns the number of the generation that is queried, or 0 while there is none. */
  public long generation() {
    Fetched<K> known = copy() == null ? null : fetched;
    return known == null || known.generation() == null ? 0 : known.generation().sequence();
  }
}
