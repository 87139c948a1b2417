package io.bloomery.window;

import io.bloomery.BloomFilterView;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Bloom filter of the keys that came last, which forgets older ones: a window over the last N
 * different keys, or over the last time T.
 *
 * <pre>{@code
 * SlidingBloomFilter<String> seen =
 *     SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000).fpp(1e-6)).create();
 * boolean isNew = seen.put(id); // false for each of the last million different ids
 * }</pre>
 *
 * <p><b>Remembered</b> is always a key that is among the last N different ones that were put, or
 * that was put less than T ago. Putting it again starts its age over; asking for it does not. A
 * time is kept however many keys come: beyond as many as were expected for each T the rate rises,
 * and {@link #stats} says so, but nothing is forgotten early.
 *
 * <p><b>Forgotten</b> is a key at the latest when 1.5 N (rounded up) others were put that were not
 * remembered when they came, or 1.5 T have passed. In between it may be remembered or not.
 *
 * <p>A key that is not remembered is taken for one that is with a probability of at most the rate
 * asked for. The memory is that of {@link SlidingBloomFilterBuilder#plan}, from the first key on.
 *
 * <p>Any number of threads may use it. A put that has returned is seen by every later query. Puts
 * that change anything take turns; queries, and puts of what came a short while ago, wait for
 * nobody, except while a generation is forgotten, which clears a third of the memory and happens
 * once for N/2 new keys, or for T/2. Of racing puts of one key at most one returns true, and
 * exactly one if no other key covers it. Null keys are refused with a NullPointerException before
 * anything changes; a call that throws changes nothing.
 *
 * <p>It is called sliding since that is the word for filters of exactly these three duties (always
 * yes for the last n, hardly ever yes for what is older than n + m, anything in between) in M. Naor
 * and E. Yogev, "Sliding Bloom Filters", 2013, <a
 * href="https://doi.org/10.1007/978-3-642-45030-3_48">doi.org/10.1007/978-3-642-45030-3_48</a>;
 * here m is n/2. It is no {@link io.bloomery.BloomFilter}, which never forgets, but can be queried
 * like one, as a {@link BloomFilterView}.
 *
 * @param <K> the type of keys
 */
public final class SlidingBloomFilter<K> implements BloomFilterView<K> {

  private final SlidingFilter filter;
  private final KeyHasher<? super K> hasher;

  SlidingBloomFilter(SlidingFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Starts to build a window.
   *
   * @param filters its keys, how they are hashed, how many are to be remembered (N, or those that
   *     are expected for each T) and at which rate, the variant of its filters (which may neither
   *     grow nor count), and attributes. {@link FilterBuilder#maxBytes} limits each of its three
   *     filters.
   */
  public static <K> SlidingBloomFilterBuilder<K> builder(FilterBuilder<K> filters) {
    return SlidingBloomFilterBuilder.of(filters);
  }

  private long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Adds a key.
   *
   * @return true if it was certainly not remembered
   */
  public boolean put(K key) {
    return filter.put(hash(key));
  }

  /** Returns false only if the key is certainly not remembered. */
  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hash(key));
  }

  @Override
  public List<K> select(Collection<? extends K> keys) {
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

  /** {@inheritDoc} {@link SlidingFilter#stats} says what is counted. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns what was asked for: the keys and the rate of the whole window. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns for how long keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return filter.time();
  }

  /** Returns the window of hashes behind this one. */
  public SlidingFilter filter() {
    return filter;
  }

  /**
   * Saves this window as a file, atomically: whatever happens, the file is either what it was or
   * complete. What is saved is the window of one moment; puts wait until it is written, but not
   * until it is safe on the disk, and queries do not wait.
   *
   * <p>{@link SlidingBloomFilterBuilder#open} opens it again. A window of a time is then older by
   * what has passed on the clock of the wall.
   *
   * @throws IOException if the file cannot be written; it is then what it was
   */
  public void save(Path path) throws IOException {
    filter.save(path);
  }

  /** Returns what is remembered, in words. */
  @Override
  public String toString() {
    return filter.toString();
  }
}
