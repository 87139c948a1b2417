package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;

/**
 * A filter that a guard fills. Puts throw what those of a {@link io.bloomery.BloomFilter} throw.
 *
 * <p>One that is kept for a later run says here what becomes of it; others have nothing to do.
 */
interface FilledFilter<K> {

  BloomFilterView<K> view();

  /** Returns the filter of the hashes. */
  FilterView hashes();

  KeyHasher<? super K> hasher();

  FilterSpec spec();

  /** Returns whether the key was certainly absent before. */
  boolean put(K key);

  void putAll(Iterable<? extends K> keys);

  /** Removes one put of a key, if the filter can; otherwise the key continues to pass. */
  default void remove(K key) {}

  /**
   * Makes this the filter that a later run serves from, in place of any other. Every later write
   * puts its key into it.
   *
   * @throws java.io.UncheckedIOException if that fails; a later run may serve from no filter then
   */
  default void keep() {}

  /**
   * Lets a later run serve from no filter, since this one, which was kept, lacks a key.
   *
   * @throws java.io.UncheckedIOException if that fails; a later run may serve from it
   */
  default void forsake() {}

  /** Frees what a filter takes that is not kept, or no longer. Queries in progress may fail. */
  default void discard() {}

  /** Ends puts into a filter that is kept. Queries in progress may fail. */
  default void close() {}
}
