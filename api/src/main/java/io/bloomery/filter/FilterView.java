package io.bloomery.filter;

import io.bloomery.internal.Batches;

/**
 * A set of 64-bit hashes that answers queries: a {@link Filter}, or a filter's memory-mapped file,
 * which nobody can put into.
 *
 * <p>Methods that are added later will have defaults, so that views of other authors keep compiling
 * and working.
 */
public interface FilterView {

  /** Returns false only if the hash is certainly absent. */
  boolean mightContain(long hash);

  /**
   * Finds those of {@code hashes[from]} to {@code hashes[to - 1]} that might be contained, faster
   * than one query at a time when the filter is larger than the processor's caches.
   *
   * @param hits receives their indices in {@code hashes}, in ascending order; must have room for
   *     {@code to - from}, and what lies behind the returned number is undefined
   * @return how many there are
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

  /** Measures the filter as it stands; takes time in proportion to its size. */
  FilterStats stats();

  /** Describes the filter as it stands, in words; takes no time to speak of. */
  default FilterDescription description() {
    return FilterDescription.NONE;
  }
}
