package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyHasher;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A read-only Bloom filter that is queried in its memory-mapped file. It combines a {@link
 * MappedFilter}, whose Javadoc has the guarantees, with the {@link KeyHasher} of its hashes. Keys
 * are treated as by {@link BloomFilter}.
 *
 * @param <K> the type of keys
 */
public final class MappedBloomFilter<K> implements BloomFilterView<K>, AutoCloseable {

  private final MappedFilter filter;
  private final KeyHasher<? super K> hasher;

  private MappedBloomFilter(MappedFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a Bloom filter that combines a mapped filter of hashes with a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of a different hasher, or its keys
   *     have a different form
   */
  public static <K> MappedBloomFilter<K> of(MappedFilter filter, KeyHasher<? super K> hasher) {
    BloomFilter.checkHasher(filter.spec(), hasher);
    return new MappedBloomFilter<>(filter, hasher);
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
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
   * Reads the whole content and compares it with its checksums.
   *
   * @return the damaged regions, none if the file is intact, as for {@link FilterFiles#verify}
   * @throws FilterUnavailableException if this filter is closed
   */
  public VerificationResult verify() {
    return filter.verify();
  }

  /** Returns the underlying filter of hashes. */
  public MappedFilter filter() {
    return filter;
  }

  KeyHasher<? super K> hasher() {
    return hasher;
  }

  /** Releases the file. Every later query throws; closing again has no effect. */
  @Override
  public void close() {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
