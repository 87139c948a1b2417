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
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Bloom filter of keys, which answers "certainly absent" or "possibly there": a {@link Filter}
 * together with the hash function, a {@link KeyHasher}, whose hashes it holds.
 *
 * <p>A key that was put is always found. One that never was is found with a probability of at most
 * the rate asked for, as long as no more keys were put than expected. Null keys are refused with a
 * NullPointerException before anything changes; empty keys are keys like any other. Threads,
 * batches and errors: as for {@link Filter}.
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
   * Joins a filter and a hasher; the result is a {@link RemovableBloomFilter} if the filter is a
   * {@link RemovableFilter}.
   *
   * @throws IllegalArgumentException if the filter holds hashes of another hasher, or its keys are
   *     written in another form
   */
  public static <K> BloomFilter<K> of(Filter filter, KeyHasher<? super K> hasher) {
    checkHasher(filter.spec(), hasher);
    return filter instanceof RemovableFilter removable
        ? new RemovableBloomFilter<>(removable, hasher)
        : new BloomFilter<>(filter, hasher);
  }

  static void checkHasher(FilterSpec spec, KeyHasher<?> hasher) {
    // No lambdas here and in what else opens a file: the first of a JVM takes milliseconds.
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
   * @return true if the key was certainly not there before
   * @throws FilterFullException if a limit set at creation or opening leaves no room; nothing has
   *     changed
   */
  public boolean put(K key) {
    return filter.put(hash(key));
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hash(key));
  }

  /**
   * Adds keys in order. If a key is null, or cannot be had or hashed, or finds no room, those
   * before it are in and none after.
   *
   * @return how many were new
   * @throws NullPointerException if a key is null; the message says which
   * @throws FilterFullException if there is no room for one; the message says how many are in
   */
  public long putAll(Iterable<? extends K> keys) {
    return new HashBatches<K>(keys, hasher, "in")
        .sum((hashes, count) -> filter.putAll(hashes, 0, count));
  }

  /**
   * Adds everything that {@code other} contains; {@code other} stays as it is.
   *
   * @throws IllegalArgumentException if {@link #incompatibility} gives a reason; nothing has
   *     changed
   * @throws FilterFullException if there is no room for what both contain; nothing has changed
   */
  public void putAll(BloomFilter<? extends K> other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
    ((MergeableFilter) filter).putAll(other.filter);
  }

  /** Returns why {@code other} cannot be merged into this filter, or nothing if it can. */
  public Optional<String> incompatibility(BloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return filter instanceof MergeableFilter mergeable
        ? mergeable.incompatibility(other.filter)
        : Optional.of(MissingAbility.merging(filter.variant()));
  }

  /**
   * {@inheritDoc} Queries 512 keys at a time, which beyond the processor's caches is up to three
   * times as fast as one by one.
   *
   * @throws NullPointerException if a key is null; the message says which
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

  /** Returns a filter with the same content that shares nothing with this one. */
  public BloomFilter<K> copy() {
    return of(filter.copy(), hasher);
  }

  /** Removes everything. No other call may run meanwhile. */
  public void clear() {
    filter.clear();
  }

  /** Returns what was asked for when this filter was created. */
  public FilterSpec spec() {
    return filter.spec();
  }

  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the filter of hashes behind this one. */
  public Filter filter() {
    return filter;
  }

  /** Returns the hash function whose hashes {@link #filter} holds. */
  public final KeyHasher<? super K> hasher() {
    return hasher;
  }

  /**
   * Saves this filter as a file, atomically: whatever happens, the file is either what it was or
   * complete.
   *
   * @throws IOException if the file cannot be written; it is then what it was
   */
  public void save(Path path) throws IOException {
    FilterFiles.save(filter, path);
  }

  /** Writes this filter to a stream, which stays open and may go on with anything else. */
  public void writeTo(OutputStream out) throws IOException {
    FilterFiles.write(filter, out);
  }

  /**
   * Writes this filter to a channel that blocks, which stays open and may go on with anything else.
   *
   * @throws IOException if the channel fails, or takes nothing a thousand times in a row
   * @throws java.nio.channels.IllegalBlockingModeException if it is in non-blocking mode
   */
  public void writeTo(WritableByteChannel out) throws IOException {
    FilterFiles.write(filter, out);
  }

  /** Returns how many bytes {@link #save} and writing would write now. */
  public long serializedSize() {
    return FilterFiles.serializedSize(filter);
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
