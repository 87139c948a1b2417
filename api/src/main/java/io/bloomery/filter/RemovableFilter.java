package io.bloomery.filter;

import java.util.Objects;

/**
 * A {@link Filter} that counts how often each hash was put, so that hashes can be removed.
 *
 * <p>Remove only what was put. A hash that was never put but is a false positive cannot be told
 * from one that was: removing it takes counts away from others, which may then be missed.
 */
public interface RemovableFilter extends Filter {

  /**
   * Takes back one put of a hash.
   *
   * @return false if the hash is certainly absent; nothing has changed
   */
  boolean remove(long hash);

  /**
   * Takes back one put of each of {@code hashes[from]} to {@code hashes[to - 1]}, in order.
   *
   * @return how many were taken back; the others are certainly absent
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
   * Returns how often the hash was put and not removed, or more; zero if certainly absent. It is
   * never too low while only hashes that were put are removed. It is too high where others share
   * whatever counts for this one, which is as rare as a false positive.
   */
  long approximateCount(long hash);
}
