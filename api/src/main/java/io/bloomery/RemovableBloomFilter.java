package io.bloomery;

import io.bloomery.filter.RemovableFilter;
import io.bloomery.hash.KeyHasher;

/**
 * A {@link BloomFilter} whose keys can be removed.
 *
 * <p>Remove only keys that were put; removing any other key can cause false negatives, as {@link
 * RemovableFilter} explains.
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
   * Removes one put of a key.
   *
   * @return false if the key is certainly absent; the filter is then unchanged
   */
  public boolean remove(K key) {
    return filter.remove(hash(key));
  }

  /**
   * Removes one put of each key, in iteration order. If a key is null, or cannot be iterated or
   * hashed, the keys before it have been removed and no later key has.
   *
   * @return the number of keys removed; the others are certainly absent
   * @throws NullPointerException if a key is null; the message has its index
   */
  public long removeAll(Iterable<? extends K> keys) {
    return new HashBatches<K>(keys, hasher(), "taken back")
        .sum((hashes, count) -> filter.removeAll(hashes, 0, count));
  }

  /**
   * Returns an upper bound on the number of times the key was put and not removed; zero if it is
   * certainly absent.
   */
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
