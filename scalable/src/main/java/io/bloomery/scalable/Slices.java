package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Stripes;
import io.bloomery.partitioned.SplitBlockGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a scalable filter between one growth and the next, and the stripes of those who put
 * into the newest.
 *
 * <p>A put holds the stripe that its hash picks; who copies, saves, measures or grows holds all of
 * them, taken in order.
 */
final class Slices {

  private final Slice[] oldestFirst;

  // Newest first. Slices become stricter and strict ones are standard, so these are the newest.
  private final Filter[] standard;
  private final SplitBlockGroup splitBlock;

  private final @Nullable Stripes stripes; // null if confined

  Slices(List<Slice> oldestFirst, ThreadMode mode) {
    this.oldestFirst = oldestFirst.toArray(new Slice[0]);
    List<Filter> standard = new ArrayList<>();
    List<Filter> splitBlock = new ArrayList<>();
    for (int i = this.oldestFirst.length - 1; i >= 0; i--) {
      Filter filter = this.oldestFirst[i].filter();
      (SlicePlan.isSplitBlock(filter) ? splitBlock : standard).add(filter);
    }
    this.standard = standard.toArray(new Filter[0]);
    this.splitBlock = new SplitBlockGroup(splitBlock);
    this.stripes =
        mode == ThreadMode.SHARED
            ? new Stripes((int) (newest().filter().payloadSize() / Long.BYTES))
            : null;
  }

  boolean mightContain(long hash) {
    for (Filter filter : standard) {
      if (filter.mightContain(hash)) {
        return true;
      }
    }
    return splitBlock.mightContain(hash);
  }

  List<Slice> oldestFirst() {
    return Collections.unmodifiableList(Arrays.asList(oldestFirst));
  }

  Slice newest() {
    return oldestFirst[oldestFirst.length - 1];
  }

  /** Returns the number of bytes of all tables. */
  long bytes() {
    long bytes = 0;
    for (Slice slice : oldestFirst) {
      bytes += slice.filter().payloadSize();
    }
    return bytes;
  }

  /**
   * Waits until no other thread puts a hash of the same stripe, or holds all. Not if confined.
   *
   * @return what to pass to {@link #unlock}
   */
  int lock(long hash) {
    return Objects.requireNonNull(stripes).lock(hash);
  }

  void unlock(int stripe) {
    Objects.requireNonNull(stripes).unlock(stripe);
  }

  /** Waits until no other thread puts, and keeps others from it; does nothing if confined. */
  void lockAll() {
    if (stripes != null) {
      stripes.lockAll();
    }
  }

  void unlockAll() {
    if (stripes != null) {
      stripes.unlockAll();
    }
  }

  /**
   * Finds possible members as {@link Filter#select} does, a batch at a time: asks the newest slice
   * for all, and those that are older for what was not found so far.
   */
  int select(long[] hashes, int from, int to, int[] hits) {
    if (oldestFirst.length == 1) {
      return oldestFirst[0].filter().select(hashes, from, to, hits);
    }
    if (standard.length == 0) {
      return splitBlock.select(hashes, from, to, hits);
    }
    BatchSelect batch = new BatchSelect(Math.min(BatchSelect.BATCH, to - from));
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BatchSelect.BATCH, to - i);
      found = batch.select(standard, splitBlock, hashes, i, end, hits, found);
    }
    return found;
  }
}
