package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.StoredFilter;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter that can be queried and saved, but accepts no puts: one that {@link
 * StaticFilterBuilder} built, or any saved one that {@link Filters#openView} opened. It combines a
 * {@link StoredFilter} with the {@link KeyHasher} of its hashes. Keys are treated as by {@link
 * BloomFilter}.
 *
 * @param <K> the type of keys
 */
public final class StoredBloomFilter<K> implements BloomFilterView<K> {

  private final StoredFilter filter;
  private final KeyHasher<? super K> hasher;

  private StoredBloomFilter(StoredFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a Bloom filter that combines a filter of hashes with a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of a different hasher, or its keys
   *     have a different form
   */
  public static <K> StoredBloomFilter<K> of(StoredFilter filter, KeyHasher<? super K> hasher) {
    BloomFilter.checkHasher(filter.spec(), hasher);
    return new StoredBloomFilter<>(filter, hasher);
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
  }

  @Override
  public List<K> select(Collection<? extends K> keys) {
    return BloomFilter.select(filter, hasher, keys);
  }

  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the specification that the filter was made for. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns the underlying filter of hashes. */
  public StoredFilter filter() {
    return filter;
  }

  KeyHasher<? super K> hasher() {
    return hasher;
  }

  /**
   * Saves this filter to a file atomically, as {@link BloomFilter#save} does.
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

  /** Returns the number of bytes that {@link #save} or {@code writeTo} would write. */
  public long serializedSize() {
    return FilterFiles.serializedSize(filter);
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
