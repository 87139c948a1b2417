package io.bloomery.scalable;

import io.bloomery.blocked.BlockedGroup;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterView;

/** The hashes of a batch that no layer has matched so far, and their indices in it. */
final class BatchSelect {

  /** The number of hashes that fit in the first-level cache. */
  static final int BATCH = 512;

  private final long[] hashes;
  private final int[] indices;
  private final int[] found;
  private int left;

  /** Creates buffers for batches of at most {@code size} hashes. */
  BatchSelect(int size) {
    this.hashes = new long[size];
    this.indices = new int[size];
    this.found = new int[size];
  }

  /**
   * Queries the filters in turn, then the group, for hashes {@code from} to {@code to - 1}.
   *
   * @param hits receives, from {@code at} on, the indices of the hashes that any of them might
   *     contain, in ascending order
   * @return the index in {@code hits} after the last one written
   */
  int select(
      Filter[] filters, BlockedGroup group, long[] all, int from, int to, int[] hits, int at) {
    query(filters, all, from, to);
    remove(group.select(hashes, 0, left, found));
    return complement(from, to, hits, at);
  }

  /** Queries views in turn, without a group. */
  int select(FilterView[] views, long[] all, int from, int to, int[] hits, int at) {
    query(views, all, from, to);
    return complement(from, to, hits, at);
  }

  private void query(FilterView[] views, long[] all, int from, int to) {
    left = to - from;
    for (int i = 0; i < left; i++) {
      hashes[i] = all[from + i];
      indices[i] = from + i;
    }
    for (int i = 0; i < views.length && left > 0; i++) {
      remove(views[i].select(hashes, 0, left, found));
    }
  }

  /** Removes the hashes at the first {@code count} positions in {@link #found}. */
  private void remove(int count) {
    int removed = 0;
    for (int i = 0; i < left; i++) {
      if (removed < count && found[removed] == i) {
        removed++;
      } else {
        hashes[i - removed] = hashes[i];
        indices[i - removed] = indices[i];
      }
    }
    left -= count;
  }

  /** Writes every index from {@code from} to {@code to - 1} whose hash has been removed. */
  private int complement(int from, int to, int[] hits, int at) {
    int end = at;
    int next = 0;
    for (int i = from; i < to; i++) {
      if (next < left && indices[next] == i) {
        next++;
      } else {
        hits[end++] = i;
      }
    }
    return end;
  }
}
