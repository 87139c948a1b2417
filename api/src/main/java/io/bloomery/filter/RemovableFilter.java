package io.bloomery.filter;

import java.util.Objects;

/**
 * A {@link Filter} that counts how often each hash was put, so that hashes can be removed.
 *
 * <p>Remove only hashes that were put. A false positive cannot be distinguished from a hash that
 * was put: removing it decrements counts of other hashes, which may then become false negatives.
 */
public interface RemovableFilter extends Filter {

  /**
   * Removes one put of a hash.
   *
   * @return false if the hash is certainly absent; the filter is then unchanged
   */
  boolean remove(long hash);

  /**
   * Removes one put of each of {@code hashes[from]} to {@code hashes[to - 1]}, in order.
   *
   * @return the number of hashes removed; the others are certainly absent
   */
  default int removeAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int removed = 0;
    for (int i = from; i < to; i++) {
      removed += remove(hashes[i]) ? 1 : 0;
    }
    return removed;
  }

  /**
   * Returns an upper bound on the number of times the hash was put and not removed; zero if it is
   * certainly absent. The bound holds as long as only hashes that were put are removed. It exceeds
   * the true count if other hashes share all counters of this one, which is as rare as a false
   * positive.
   */
  long approximateCount(long hash);
}
