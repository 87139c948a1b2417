package io.bloomery;

import io.bloomery.file.ShardedFilter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyHasher;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A read-only Bloom filter that consists of several saved shards. It combines a {@link
 * ShardedFilter}, whose Javadoc has the guarantees, with the {@link KeyHasher} of its hashes. Keys
 * are treated as by {@link BloomFilter}.
 *
 * @param <K> the type of keys
 */
public final class ShardedBloomFilter<K> implements BloomFilterView<K>, AutoCloseable {

  private static final int KEYS_OF_SHARD = 64;
  private static final int MIN_BATCH = 512;
  private static final int MAX_BATCH = 1 << 16;

  private final ShardedFilter filter;
  private final KeyHasher<? super K> hasher;

  private ShardedBloomFilter(ShardedFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Returns a Bloom filter that combines a sharded filter of hashes with a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of a different hasher, or its keys
   *     have a different form
   */
  public static <K> ShardedBloomFilter<K> of(ShardedFilter filter, KeyHasher<? super K> hasher) {
    BloomFilter.checkHasher(filter.spec(), hasher);
    return new ShardedBloomFilter<>(filter, hasher);
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
  }

  /** {@inheritDoc} Queries up to 65,536 keys per batch, grouped by shard. */
  @Override
  public List<K> select(Collection<? extends K> keys) {
    // Large enough that each shard gets a batch of its own.
    int batch = filter.sharding().shards() * KEYS_OF_SHARD;
    return BloomFilter.select(
        filter, hasher, keys, Math.max(MIN_BATCH, Math.min(batch, MAX_BATCH)));
  }

  /** Returns the specification that the whole filter was created for. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** {@inheritDoc} Reads all data that queries use, in all shards. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the underlying filter of hashes. */
  public ShardedFilter filter() {
    return filter;
  }

  KeyHasher<? super K> hasher() {
    return hasher;
  }

  /** Releases all shards. Every later query throws; closing again has no effect. */
  @Override
  public void close() {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
