package io.bloomery.redis;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyHasher;
import io.bloomery.redis.ServedWindow.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A sliding Bloom filter on a Redis server, shared by any number of processes: it contains the most
 * recent keys and forgets older ones. Its window is the last N distinct keys, or the last time T by
 * the server's clock. {@link RedisWindows} creates and opens it.
 *
 * <p>The guarantees of {@link io.bloomery.window.SlidingBloomFilter} hold for the threads of all
 * processes: a key is remembered if it is among the last N distinct keys put, or was put less than
 * T ago, and forgotten at the latest after 1.5 N others or 1.5 T. Of concurrent puts of one key at
 * most one returns true, exactly one if the key is not a false positive of others, also while a
 * generation is forgotten. A put that has returned is visible to every later query. A put whose
 * connection fails may or may not have been applied.
 *
 * <p>A time is that of the clock of the server which has the window. If this goes back, no time
 * passes until it is where it was; when another server takes over, no time has passed in between.
 * Both make keys forgotten later, never earlier.
 *
 * <p>It never returns false because of lost data: each answer is given by a script that checks
 * atomically that what it reads is there, is complete, and belongs to this generation of this
 * window, and that the server is a primary that has had it all the time. Otherwise {@link
 * FilterUnavailableException} names the Redis key. If a part is lost, so do the calls that read it,
 * and each put that would begin a generation, until the window is deleted. If nobody has used the
 * window for {@link RedisOptions#expireAfter}, it has expired, and each call says that there is
 * none.
 *
 * <p>Each call takes one round trip, a batch of puts one for each 1,000 keys. The calls that return
 * a {@link CompletableFuture} do not wait for the server; the future fails with what the other call
 * throws.
 *
 * @param <K> the type of keys
 */
public final class RedisSlidingBloomFilter<K> implements BloomFilterView<K> {
  // decisions.md#a-window-on-redis-ages-by-one-servers-clock-and-stands-still-while-servers-change

  private final ServedWindow window;
  private final KeyHasher<? super K> hasher;

  RedisSlidingBloomFilter(ServedWindow window, KeyHasher<? super K> hasher) {
    this.window = window;
    this.hasher = hasher;
  }

  ServedWindow served() {
    return window;
  }

  /** Returns the name of this window. */
  public String name() {
    return window.record().name().toString();
  }

  private long[] hashes(Collection<? extends K> keys) {
    List<K> all = new ArrayList<>(Objects.requireNonNull(keys, "keys must not be null"));
    long[] hashes = new long[all.size()];
    for (int i = 0; i < hashes.length; i++) {
      K key = all.get(i);
      if (key == null) {
        throw new NullPointerException("keys must not be null, but key " + i + " is; leave it out");
      }
      hashes[i] = hasher.hash(key);
    }
    return hashes;
  }

  private long[] hash(K key) {
    return new long[] {hasher.hash(Objects.requireNonNull(key, "key must not be null"))};
  }

  private boolean[] run(Mode mode, long[] hashes) {
    return Calls.join(window.start(mode, hashes, false));
  }

  private CompletableFuture<Boolean> startOne(Mode mode, K key) {
    return window.start(mode, hash(key), true).thenApply(answers -> answers[0]);
  }

  /**
   * Puts a key, and resets its age if it is remembered.
   *
   * @return true if the key was certainly not remembered
   * @throws FilterUnavailableException if there is no answer; the key may or may not have been put
   */
  public boolean put(K key) {
    return run(Mode.PUT, hash(key))[0];
  }

  /**
   * Puts a key unless it is remembered, in which case it keeps its age, and is forgotten however
   * often it comes.
   *
   * @return true if the key was certainly not remembered, and was put
   * @throws FilterUnavailableException as for {@link #put}
   */
  public boolean putIfAbsent(K key) {
    return run(Mode.ABSENT, hash(key))[0];
  }

  /**
   * Returns false only if the key is certainly not remembered; a query resets no age.
   *
   * @throws FilterUnavailableException if there is no answer
   */
  @Override
  public boolean mightContain(K key) {
    return run(Mode.QUERY, hash(key))[0];
  }

  /**
   * Puts keys in their order, as {@link #put} does: the first of equal keys may be new.
   *
   * @return for each key, in order, whether it was new
   * @throws FilterUnavailableException if there is no answer for one of them; each may or may not
   *     have been put
   */
  public boolean[] putAll(Collection<? extends K> keys) {
    return run(Mode.PUT, hashes(keys));
  }

  /**
   * Puts keys in their order, as {@link #putIfAbsent} does.
   *
   * @return for each key, in order, whether it was new
   * @throws FilterUnavailableException as for {@link #putAll}
   */
  public boolean[] putAllIfAbsent(Collection<? extends K> keys) {
    return run(Mode.ABSENT, hashes(keys));
  }

  /**
   * Queries keys, as {@link #mightContain} does.
   *
   * @return for each key, in order, whether it might be remembered
   * @throws FilterUnavailableException if there is no answer for one of them
   */
  public boolean[] mightContainAll(Collection<? extends K> keys) {
    return run(Mode.QUERY, hashes(keys));
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if there is no answer for one of them
   */
  @Override
  public List<K> select(Collection<? extends K> keys) {
    List<K> all = new ArrayList<>(Objects.requireNonNull(keys, "keys must not be null"));
    boolean[] found = mightContainAll(all);
    List<K> selected = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      if (found[i]) {
        selected.add(all.get(i));
      }
    }
    return selected;
  }

  /** The same as {@link #put}, without waiting. */
  public CompletableFuture<Boolean> putAsync(K key) {
    return startOne(Mode.PUT, key);
  }

  /** The same as {@link #putIfAbsent}, without waiting. */
  public CompletableFuture<Boolean> putIfAbsentAsync(K key) {
    return startOne(Mode.ABSENT, key);
  }

  /** The same as {@link #mightContain}, without waiting. */
  public CompletableFuture<Boolean> mightContainAsync(K key) {
    return startOne(Mode.QUERY, key);
  }

  /** The same as {@link #putAll}, without waiting. */
  public CompletableFuture<boolean[]> putAllAsync(Collection<? extends K> keys) {
    return window.start(Mode.PUT, hashes(keys), true);
  }

  /** The same as {@link #putAllIfAbsent}, without waiting. */
  public CompletableFuture<boolean[]> putAllIfAbsentAsync(Collection<? extends K> keys) {
    return window.start(Mode.ABSENT, hashes(keys), true);
  }

  /** The same as {@link #mightContainAll}, without waiting. */
  public CompletableFuture<boolean[]> mightContainAllAsync(Collection<? extends K> keys) {
    return window.start(Mode.QUERY, hashes(keys), true);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The number of keys is that of the fullest of the three generations, as they were counted.
   * The rate is the one that the plan has for these numbers. Only the bits are counted on the
   * server, in at most 16,384 words of each generation, from which those of the others are
   * estimated.
   *
   * @throws FilterUnavailableException if the window cannot answer
   */
  @Override
  public FilterStats stats() {
    WindowRecord record = window.record();
    ServedWindow.State state = window.measured();
    FilterPlan plan =
        FilterProviders.installed().get(record.header().variant()).plan(record.header().spec());
    double logAbsent = 0;
    for (long keys : state.taken()) {
      logAbsent += Math.log1p(-plan.falsePositiveRate(keys));
    }
    return FilterStats.of(record.spec())
        .sizeInBits(WindowName.GENERATIONS * record.cells().chunks().words() * Long.SIZE)
        .setBits(state.setBits().stream().mapToLong(Long::longValue).sum())
        .falsePositiveRate(Math.abs(Math.expm1(logAbsent))) // 0 of an empty window, not -0
        .approximateKeys(Collections.max(state.taken()))
        .build();
  }

  /** Returns the requested number of keys and rate of the whole window. */
  public FilterSpec spec() {
    return window.record().spec();
  }

  /** Returns the time for which keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return window.record().time();
  }

  /** Returns a description of the window. */
  @Override
  public String toString() {
    return "the last "
        + time().map(time -> time + ", for ").orElse("")
        + spec()
        + ", in three "
        + window.record().header().variant()
        + " filters on Redis as '"
        + name()
        + "'";
  }
}
