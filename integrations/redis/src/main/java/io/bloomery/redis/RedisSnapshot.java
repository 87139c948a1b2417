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
 * A local copy of a filter on Redis, for those who only ask, such as of a block list that is
 * rebuilt as a whole: answers take no round trip.
 *
 * <p>It says "absent" only by the copy of a generation that is {@linkplain RedisFilter#seal
 * sealed}, so that nothing can have been put since, and that served not longer ago than a time set.
 * All else is "maybe": before there is such a copy, while another generation is fetched, and as
 * long as the server does not answer.
 *
 * <p>Any number of threads may use one. The one that finds the time to be over asks the server
 * which generation serves, and fetches it if it is another; others go on meanwhile, by "maybe".
 *
 * @param <K> the type of keys
 */
public final class RedisSnapshot<K> implements BloomFilterView<K> {

  private final RedisFilter remote;
  private final BloomFilter<K> keyed;
  private final long maxAgeNanos;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile @Nullable Fetched<K> fetched; // null before the first time
  private volatile @Nullable FilterUnavailableException failure;

  /**
   * What serves, as of a time; without a copy where it is not sealed or the server is not there.
   */
  private record Fetched<K>(
      @Nullable Generation generation, @Nullable BloomFilter<K> copy, long asOf) {}

  private RedisSnapshot(RedisFilter remote, BloomFilter<K> keyed, long maxAgeNanos) {
    this.remote = remote;
    this.keyed = keyed;
    this.maxAgeNanos = maxAgeNanos;
  }

  /**
   * Makes a snapshot of a filter, and fetches it if it is sealed.
   *
   * @param filter one whose {@link BloomFilter#filter} is a {@link RedisFilter}
   * @param maxAge how long a generation may have been replaced before that is seen
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

  /** Returns what may be answered from, or null: the answer is then "maybe". */
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

  /** {@inheritDoc} Never throws for want of an answer: it is then true. */
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
   * @throws FilterUnavailableException if there is no copy to answer from; the message says why
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

  /** Returns the number of the generation that it answers from, or 0 while it says "maybe". */
  public long generation() {
    Fetched<K> known = copy() == null ? null : fetched;
    return known == null || known.generation() == null ? 0 : known.generation().sequence();
  }
}
