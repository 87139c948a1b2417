package io.bloomery.scalable;

import io.bloomery.Filter;
import io.bloomery.ThreadMode;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The slices of a scalable filter between one growth and the next, and the locks of those who put
 * into the newest.
 *
 * <p>A put holds the lock that its hash picks; who copies, saves, measures or grows holds all of
 * them, taken in order.
 */
final class Slices {

  private static final int MOST_LOCKS = 64;
  private static final long BYTES_PER_LOCK = 1_024;

  private final Slice[] oldestFirst;
  private final Filter[] newestFirst;
  private final ReentrantLock[] locks; // none if confined

  Slices(List<Slice> oldestFirst, ThreadMode mode) {
    this.oldestFirst = oldestFirst.toArray(new Slice[0]);
    this.newestFirst = new Filter[oldestFirst.size()];
    Arrays.setAll(newestFirst, i -> oldestFirst.get(newestFirst.length - 1 - i).filter());
    this.locks = new ReentrantLock[mode == ThreadMode.SHARED ? locksFor(newest()) : 0];
    Arrays.setAll(locks, i -> new ReentrantLock());
  }

  /** Returns one for each KiB of a slice, so that small filters stay small, and at most 64. */
  private static int locksFor(Slice slice) {
    long locks = Math.max(1, slice.filter().payloadSize() / BYTES_PER_LOCK);
    return (int) Math.min(MOST_LOCKS, Long.highestOneBit(locks));
  }

  boolean mightContain(long hash) {
    for (Filter filter : newestFirst) {
      if (filter.mightContain(hash)) {
        return true;
      }
    }
    return false;
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
    for (Filter filter : newestFirst) {
      bytes += filter.payloadSize();
    }
    return bytes;
  }

  ReentrantLock lock(long hash) {
    return locks[(int) hash & (locks.length - 1)];
  }

  /** Waits until no other thread puts, and keeps others from it. */
  void lockAll() {
    for (ReentrantLock lock : locks) {
      lock.lock();
    }
  }

  void unlockAll() {
    for (ReentrantLock lock : locks) {
      lock.unlock();
    }
  }

  /**
   * Finds possible members as {@link Filter#select} does, a batch at a time: asks the newest slice
   * for all, and each older one for those not found so far.
   */
  int select(long[] hashes, int from, int to, int[] hits) {
    if (newestFirst.length == 1) {
      return newestFirst[0].select(hashes, from, to, hits);
    }
    Selection selection = new Selection(Math.min(Selection.BATCH, to - from));
    int found = 0;
    for (int i = from; i < to; i += Selection.BATCH) {
      found =
          selection.select(newestFirst, hashes, i, Math.min(i + Selection.BATCH, to), hits, found);
    }
    return found;
  }
}
