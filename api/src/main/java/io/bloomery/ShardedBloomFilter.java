package io.bloomery;

import io.bloomery.file.ShardedFilter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyHasher;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A saved Bloom filter in shards that answers as one: a {@link ShardedFilter}, which says what that
 * promises, together with the {@link KeyHasher} whose hashes it holds. Keys are as for {@link
 * BloomFilter}.
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
   * Joins a filter and a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of another hasher, or its keys are
   *     written in another form
   */
  public static <K> ShardedBloomFilter<K> of(ShardedFilter filter, KeyHasher<? super K> hasher) {
    BloomFilter.checkHasher(filter.spec(), hasher);
    return new ShardedBloomFilter<>(filter, hasher);
  }

  @Override
  public boolean mightContain(K key) {
    return filter.mightContain(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
  }

  /** {@inheritDoc} Queries up to 65,536 keys at a time, those of one shard together. */
  @Override
  public List<K> select(Collection<? extends K> keys) {
    // So many that a shard is asked for a batch of its own.
    int batch = filter.sharding().shards() * KEYS_OF_SHARD;
    return BloomFilter.select(
        filter, hasher, keys, Math.max(MIN_BATCH, Math.min(batch, MAX_BATCH)));
  }

  /** Returns what was asked for when the filter was created, as a whole. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** {@inheritDoc} Reads all that queries look at, in all shards. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the filter of hashes behind this one. */
  public ShardedFilter filter() {
    return filter;
  }

  /** Lets go of all shards; every later query throws. Does nothing if this was closed before. */
  @Override
  public void close() {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
