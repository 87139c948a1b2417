package io.bloomery;

import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * A queryable set of keys whose answers are "certainly absent" or "possibly present": a {@link
 * BloomFilter}, a memory-mapped file, or any other set that is queried the same way, whether or not
 * keys can be added to it.
 *
 * <p>There are no false negatives: a key in the set is always found. A view that cannot answer
 * throws {@link FilterUnavailableException}; it never returns false instead.
 *
 * <p>It is a {@link Predicate}: {@code stream.filter(seen)} keeps the keys that might be contained.
 *
 * <p>Methods added in later versions will have default implementations, so that existing
 * implementations stay source and binary compatible.
 *
 * @param <K> the type of keys
 */
public interface BloomFilterView<K> extends Predicate<K> {

  /**
   * Returns whether the key might be contained: false only if it is certainly absent.
   *
   * @throws NullPointerException if the key is null
   * @throws FilterUnavailableException if the view cannot answer
   */
  boolean mightContain(K key);

  /** Equivalent to {@link #mightContain}. */
  @Override
  default boolean test(K key) {
    return mightContain(key);
  }

  /**
   * Returns the keys that might be contained, in iteration order; meant for batches, such as one
   * side of a join.
   *
   * @throws NullPointerException if a key is null; the message has its index
   * @throws FilterUnavailableException if the view cannot answer
   */
  List<K> select(Collection<? extends K> keys);

  /**
   * Measures the set in its current state; may take time proportional to its size.
   *
   * @throws FilterUnavailableException if the view cannot be measured
   */
  FilterStats stats();
}
