package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveFilter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter that lives in its file: keys that are put are in the file at once. It combines a
 * {@link LiveFilter}, whose Javadoc has the guarantees, with the {@link KeyHasher} of its hashes.
 * Keys are treated as by {@link BloomFilter}.
 *
 * <pre>{@code
 * try (LiveBloomFilter<String> seen =
 *     Bloomery.strings().expect(10_000_000).openOrCreate(path)) {
 *   if (seen.put(url)) {
 *     fetch(url);
 *   }
 * }
 * }</pre>
 *
 * @param <K> the type of keys
 */
public final class LiveBloomFilter<K> implements BloomFilterView<K>, AutoCloseable {

  private final LiveFilter filter;
  private final KeyHasher<? super K> hasher;

  private LiveBloomFilter(LiveFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a Bloom filter that combines a live filter of hashes with a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of a different hasher, or its keys
   *     have a different form
   */
  public static <K> LiveBloomFilter<K> of(LiveFilter filter, KeyHasher<? super K> hasher) {
    BloomFilter.checkHasher(filter.spec(), hasher);
    return new LiveBloomFilter<>(filter, hasher);
  }

  private long hash(K key) {
    return hasher.hash(Objects.requireNonNull(key, "key must not be null"));
  }

  /**
   * Adds a key; of several threads that add one at the same time, one gets true.
   *
   * @return true if the key was certainly absent before this call
   * @throws FilterUnavailableException if this filter is closed
   */
  public boolean put(K key) {
    return filter.put(hash(key));
  }

  /**
   * Adds keys in iteration order, as {@link BloomFilter#putAll(Iterable)} does.
   *
   * @return the number of keys that were certainly absent before
   * @throws NullPointerException if a key is null; the message has its index
   * @throws FilterUnavailableException if this filter is closed; some keys may have been added
   */
  public long putAll(Iterable<? extends K> keys) {
    return new HashBatches<K>(keys, hasher, "in")
        .sum((hashes, count) -> filter.putAll(hashes, 0, count));
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hash(key));
  }

  @Override
  public List<K> select(Collection<? extends K> keys) {
    return BloomFilter.select(filter, hasher, keys);
  }

  /** Returns the specification that the filter was created for. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** {@inheritDoc} Reads all data that queries use. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /**
   * Saves a copy of this filter as it stands, as {@link FilterFiles#save} does: one that is opened,
   * mapped and read like any other.
   *
   * @throws IOException if the file cannot be written
   */
  public void save(Path path) throws IOException {
    FilterFiles.save(filter, path);
  }

  /**
   * Forces every put that has returned to the disk, as {@link LiveFilter#force} does.
   *
   * @throws IOException as for that
   */
  public void force() throws IOException {
    filter.force();
  }

  /** Returns the underlying filter of hashes. */
  public LiveFilter filter() {
    return filter;
  }

  /**
   * Seals the file, as {@link LiveFilter#close} does. Every later call throws; closing again has no
   * effect.
   *
   * @throws IOException as for that
   */
  @Override
  public void close() throws IOException {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
