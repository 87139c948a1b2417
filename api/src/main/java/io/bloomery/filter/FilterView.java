package io.bloomery.filter;

import io.bloomery.internal.Batches;
import java.util.Optional;

/**
 * A queryable set of 64-bit hashes: a {@link Filter}, or the memory-mapped file of one, which is
 * read-only.
 *
 * <p>Methods added in later versions will have default implementations, so that existing
 * implementations stay source and binary compatible.
 */
public interface FilterView {

  /** Returns whether the hash might be contained: false only if it is certainly absent. */
  boolean mightContain(long hash);

  /**
   * Finds which of {@code hashes[from]} to {@code hashes[to - 1]} might be contained; faster than
   * single queries if the filter is larger than the processor's caches.
   *
   * @param hits receives their indices in {@code hashes}, in ascending order; must have room for
   *     {@code to - from}, and the elements beyond the returned number are undefined
   * @return the number of indices
   */
  default int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += mightContain(hashes[i]) ? 1 : 0;
    }
    return found;
  }

  /** Measures the filter in its current state; takes time proportional to its size. */
  FilterStats stats();

  /** Returns a description of the filter in its current state, in negligible time. */
  default FilterDescription description() {
    return FilterDescription.NONE;
  }

  /**
   * Returns the bits by which {@link Overlap} compares this filter with another of its layout, or
   * empty if its variant has none that tell the number of keys.
   */
  default Optional<FilterBits> overlapBits() {
    return Optional.empty();
  }
}
