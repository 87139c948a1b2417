package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.KeyMismatch;
import io.bloomery.internal.MissingAbility;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Bloom filter of keys: a probabilistic set whose queries answer "certainly absent" or "possibly
 * present". It combines a {@link Filter}, the set of hashes, with a {@link KeyHasher}, the hash
 * function that produced them.
 *
 * <p>There are no false negatives: a key that was put is always found. A key that was never put is
 * a false positive with at most the requested probability, as long as no more than the expected
 * number of keys were put. A null key causes a NullPointerException and changes nothing; empty keys
 * are ordinary keys. Thread safety, batches and errors are specified by {@link Filter}.
 *
 * @param <K> the type of keys
 */
public sealed class BloomFilter<K> implements BloomFilterView<K> permits RemovableBloomFilter {

  private static final int BATCH = 512;

  private final Filter filter;
  private final KeyHasher<? super K> hasher;

  BloomFilter(Filter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a Bloom filter that combines a filter of hashes with a hasher. The result is a {@link
   * RemovableBloomFilter} if the filter is a {@link RemovableFilter}.
   *
   * @throws IllegalArgumentException if the filter holds hashes of a different hasher, or its keys
   *     have a different form
   */
  public static <K> BloomFilter<K> of(Filter filter, KeyHasher<? super K> hasher) {
    checkHasher(filter.spec(), hasher);
    return filter instanceof RemovableFilter removable
        ? new RemovableBloomFilter<>(removable, hasher)
        : new BloomFilter<>(filter, hasher);
  }

  static void checkHasher(FilterSpec spec, KeyHasher<?> hasher) {
    // No lambdas on the path that opens a file: the first lambda in a JVM takes milliseconds.
    Optional<KeyMismatch> mismatch =
        KeyMismatch.of(
            spec.hashId(),
            spec.keyForm(),
            hasher.id(),
            hasher.keyForm().toString(),
            KeyForm.isKnown(spec.keyForm()));
    if (mismatch.isPresent()) {
      throw new IllegalArgumentException(mismatch.get().reason());
    }
  }

  final long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Adds a key.
   *
   * @return true if the key was certainly absent before this call
   * @throws FilterFullException if a limit set at creation or opening leaves no room for the key;
   *     the filter is unchanged
   */
  public boolean put(K key) {
    return filter.put(hash(key));
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hash(key));
  }

  /**
   * Adds keys in iteration order. If a key is null, cannot be iterated or hashed, or exceeds a
   * limit, the keys before it have been added and no later key has.
   *
   * @return the number of keys that were certainly absent before
   * @throws NullPointerException if a key is null; the message has its index
   * @throws FilterFullException if there is no room for a key; the message has the number of keys
   *     added
   */
  public long putAll(Iterable<? extends K> keys) {
    return new HashBatches<K>(keys, hasher, "in")
        .sum((hashes, count) -> filter.putAll(hashes, 0, count));
  }

  /**
   * Merges {@code other} into this filter, which then contains the union of both; {@code other} is
   * not changed.
   *
   * @throws IllegalArgumentException if {@link #incompatibility} returns a reason; this filter is
   *     unchanged
   * @throws FilterFullException if there is no room for the union; this filter is unchanged
   */
  public void putAll(BloomFilter<? extends K> other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
    ((MergeableFilter) filter).putAll(other.filter);
  }

  /** Returns the reason why {@code other} cannot be merged into this filter, or empty if it can. */
  public Optional<String> incompatibility(BloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return filter instanceof MergeableFilter mergeable
        ? mergeable.incompatibility(other.filter)
        : Optional.of(MissingAbility.merging(filter.variant()));
  }

  /**
   * Returns a new filter that finds every key that both this filter and {@code other} find, by the
   * bitwise and of their tables; neither is changed, as {@code retainAll} would change this one.
   *
   * <p>An intersection of filters is not the filter of the intersection: a key of only one of the
   * two sets is found at the rate of the other filter, a key of neither at most at the rate of
   * each. The spec of the result {@linkplain FilterSpec#isIntersection says so}, its statistics
   * have no number of keys, and it cannot be merged into a filter that is no intersection. {@link
   * io.bloomery.filter.Overlap} estimates how many keys two filters share.
   *
   * @throws IllegalArgumentException if {@link #intersectionRefusal} returns a reason, or there is
   *     no room for the mark among the attributes or for the result in the heap
   */
  public BloomFilter<K> intersection(BloomFilter<? extends K> other) {
    intersectionRefusal(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("there is no intersection: " + reason);
            });
    return of(((MergeableFilter) filter).intersection(other.filter), hasher);
  }

  /**
   * Returns the reason why this filter has no intersection with {@code other}, or empty if it has.
   */
  public Optional<String> intersectionRefusal(BloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return filter instanceof MergeableFilter mergeable
        ? mergeable.intersectionRefusal(other.filter)
        : Optional.of(MissingAbility.intersecting(filter.variant()));
  }

  /**
   * {@inheritDoc} Queries 512 keys per batch, which is up to three times as fast as single queries
   * when the filter is larger than the processor's caches.
   *
   * @throws NullPointerException if a key is null; the message has its index
   */
  @Override
  public List<K> select(Collection<? extends K> keys) {
    return select(filter, hasher, keys);
  }

  static <K> List<K> select(
      FilterView filter, KeyHasher<? super K> hasher, Collection<? extends K> keys) {
    return select(filter, hasher, keys, BATCH);
  }

  static <K> List<K> select(
      FilterView filter, KeyHasher<? super K> hasher, Collection<? extends K> keys, int batch) {
    List<K> all = new ArrayList<>(Objects.requireNonNull(keys, "keys must not be null"));
    List<K> selected = new ArrayList<>();
    int size = Math.min(batch, all.size());
    long[] hashes = new long[size];
    int[] hits = new int[size];
    for (int from = 0, to; from < all.size(); from = to) {
      to = from + Math.min(size, all.size() - from);
      for (int i = from; i < to; i++) {
        hashes[i - from] = hasher.hash(HashBatches.checked(all.get(i), i, "leave it out"));
      }
      int found = filter.select(hashes, 0, to - from, hits);
      for (int j = 0; j < found; j++) {
        selected.add(all.get(from + hits[j]));
      }
    }
    return selected;
  }

  /** Returns an independent copy of this filter. */
  public BloomFilter<K> copy() {
    return of(filter.copy(), hasher);
  }

  /**
   * Returns a filter of the same keys in a table that is {@code factor} times smaller, as {@link
   * MergeableFilter#folded} does: it merges with filters that were made as small, or folded to the
   * same size. This filter is not changed.
   *
   * @throws IllegalArgumentException if this filter does not fold by this factor; the message has
   *     the reason
   */
  public BloomFilter<K> folded(int factor) {
    return of(mergeable().folded(factor), hasher);
  }

  /**
   * Returns a filter of the same keys in the smallest table to which this one folds with a measured
   * false-positive rate of at most {@code fpp}, for a filter that was planned larger than its keys
   * need; or this filter itself if there is none. This filter is not changed. The result keeps the
   * expected keys, and its spec has the higher rate that it would have at their number.
   *
   * @throws IllegalArgumentException if the rate is not between 0 and 1, or filters of this variant
   *     or layout do not fold; the message has the reason
   */
  public BloomFilter<K> shrunk(double fpp) {
    MergeableFilter smaller = mergeable().shrunk(fpp);
    return smaller == filter ? this : of(smaller, hasher);
  }

  private MergeableFilter mergeable() {
    if (filter instanceof MergeableFilter mergeable) {
      return mergeable;
    }
    throw new IllegalArgumentException(MissingAbility.folding(filter.variant()));
  }

  /** Removes all keys. Must not run concurrently with any other call. */
  public void clear() {
    filter.clear();
  }

  /** Returns the specification that this filter was created for. */
  public FilterSpec spec() {
    return filter.spec();
  }

  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the underlying filter of hashes. */
  public Filter filter() {
    return filter;
  }

  /** Returns the hash function whose hashes {@link #filter} holds. */
  public final KeyHasher<? super K> hasher() {
    return hasher;
  }

  /**
   * Saves this filter to a file atomically: after any failure, the file either has its previous
   * content or is complete.
   *
   * @throws IOException if the file cannot be written; its previous content is kept
   */
  public void save(Path path) throws IOException {
    FilterFiles.save(filter, path);
  }

  /** Writes this filter to a stream, which is left open and may contain further data. */
  public void writeTo(OutputStream out) throws IOException {
    FilterFiles.write(filter, out);
  }

  /** Returns the number of bytes that {@link #save} or {@code writeTo} would write now. */
  public long serializedSize() {
    return FilterFiles.serializedSize(filter);
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
