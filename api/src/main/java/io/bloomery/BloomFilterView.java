package io.bloomery;

import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * A set of keys that answers "certainly absent" or "possibly there": a {@link BloomFilter}, a
 * memory-mapped file, or any other that is queried in the same way, whether or not it can be added
 * to.
 *
 * <p>A key that is in the set is always found: there are no false negatives. A view that cannot
 * answer throws {@link FilterUnavailableException} and never returns false instead.
 *
 * <p>As a {@link Predicate} it fits where one is wanted: {@code stream.filter(seen)} keeps what may
 * have been seen.
 *
 * <p>Methods that are added later will have defaults, so that views of other authors keep compiling
 * and working.
 *
 * @param <K> the type of keys
 */
public interface BloomFilterView<K> extends Predicate<K> {

  /**
   * Returns false only if the key is certainly absent.
   *
   * @throws NullPointerException if the key is null
   * @throws FilterUnavailableException if there is no answer
   */
  boolean mightContain(K key);

  /** Does what {@link #mightContain} does. */
  @Override
  default boolean test(K key) {
    return mightContain(key);
  }

  /**
   * Returns those keys that might be contained, in their order: one side of a join, or the requests
   * of one round.
   *
   * @throws NullPointerException if a key is null; the message says which
   * @throws FilterUnavailableException if there is no answer
   */
  List<K> select(Collection<? extends K> keys);

  /**
   * Measures the set as it stands; may take time in proportion to its size.
   *
   * @throws FilterUnavailableException if that is not possible
   */
  FilterStats stats();
}
