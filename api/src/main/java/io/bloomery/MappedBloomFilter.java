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
 * A saved Bloom filter that answers from its memory-mapped file: a {@link MappedFilter}, which says
 * what that promises, together with the {@link KeyHasher} whose hashes it holds. Keys are as for
 * {@link BloomFilter}.
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
   * Joins a filter and a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of another hasher, or its keys are
   *     written in another form
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

  /** Returns what was asked for when the filter was created. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** {@inheritDoc} Reads all that queries look at. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /**
   * Reads the whole content and compares it with its checksums.
   *
   * @return the damaged regions, none if the file is as it was written, as {@link
   *     FilterFiles#verify}
   * @throws FilterUnavailableException if this was closed
   */
  public VerificationResult verify() {
    return filter.verify();
  }

  /** Returns the filter of hashes behind this one. */
  public MappedFilter filter() {
    return filter;
  }

  /** Lets go of the file; every later query throws. Does nothing if this was closed before. */
  @Override
  public void close() {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
