package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterView;
import io.bloomery.partitioned.SplitBlockGroup;

/** The hashes of a batch that no slice has found so far, and where they stand in it. */
final class BatchSelect {

  /** As many hashes as stay in the first-level cache. */
  static final int BATCH = 512;

  private final long[] hashes;
  private final int[] indices;
  private final int[] found;
  private int left;

  /** Makes room for batches of at most {@code size} hashes. */
  BatchSelect(int size) {
    this.hashes = new long[size];
    this.indices = new int[size];
    this.found = new int[size];
  }

  /**
   * Asks one filter after the other, then the group, for hashes {@code from} to {@code to - 1}.
   *
   * @param hits receives, from {@code at} on, the indices of those found by any, in ascending order
   * @return the index in {@code hits} after the last
   */
  int select(
      Filter[] filters, SplitBlockGroup group, long[] all, int from, int to, int[] hits, int at) {
    ask(filters, all, from, to);
    remove(group.select(hashes, 0, left, found));
    return complement(from, to, hits, at);
  }

  /** Does the same without a group. */
  int select(FilterView[] views, long[] all, int from, int to, int[] hits, int at) {
    ask(views, all, from, to);
    return complement(from, to, hits, at);
  }

  private void ask(FilterView[] views, long[] all, int from, int to) {
    left = to - from;
    for (int i = 0; i < left; i++) {
      hashes[i] = all[from + i];
      indices[i] = from + i;
    }
    for (int i = 0; i < views.length && left > 0; i++) {
      remove(views[i].select(hashes, 0, left, found));
    }
  }

  /** Removes those whose positions are the first {@code count} of {@link #found}. */
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

  /** Writes every index from {@code from} to {@code to - 1} that is not left. */
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
