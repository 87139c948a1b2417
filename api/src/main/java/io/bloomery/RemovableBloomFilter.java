package io.bloomery;

import io.bloomery.filter.RemovableFilter;
import io.bloomery.hash.KeyHasher;

/**
 * A {@link BloomFilter} whose keys can be removed.
 *
 * <p>Remove only what was put: see {@link RemovableFilter}.
 *
 * @param <K> the type of keys
 */
public final class RemovableBloomFilter<K> extends BloomFilter<K> {

  private final RemovableFilter filter;

  RemovableBloomFilter(RemovableFilter filter, KeyHasher<? super K> hasher) {
    super(filter, hasher);
    this.filter = filter;
  }

  /**
   * Takes back one put of a key.
   *
   * @return false if the key is certainly absent; nothing has changed
   */
  public boolean remove(K key) {
    return filter.remove(hash(key));
  }

  /**
   * Takes back one put of each key, in order. If a key is null, or cannot be had or hashed, those
   * before it are taken back and none after.
   *
   * @return how many were taken back; the others are certainly absent
   * @throws NullPointerException if a key is null; the message says which
   */
  public long removeAll(Iterable<? extends K> keys) {
    return new HashBatches<K>(keys, hasher(), "taken back")
        .sum((hashes, count) -> filter.removeAll(hashes, 0, count));
  }

  /** Returns how often the key was put and not removed, or more; zero if certainly absent. */
  public long approximateCount(K key) {
    return filter.approximateCount(hash(key));
  }

  @Override
  public RemovableBloomFilter<K> copy() {
    return (RemovableBloomFilter<K>) super.copy();
  }

  @Override
  public RemovableFilter filter() {
    return filter;
  }
}
