package io.bloomery.benchmarks.contender;

import io.bloomery.filter.FilterView;
import java.util.SplittableRandom;

/**
 * What comes before batches of a filter use vectors: many hashes, more than a contest asks of small
 * filters, and then a trial on a thread of its own.
 */
final class VectorTrial {

  private static final long HASHES_BEFORE = 1 << 27;
  private static final String THREAD = "bloomery-vector-trial";

  private VectorTrial() {}

  /** Returns the hashes of a batch. */
  static long[] hashes() {
    return new SplittableRandom(1).longs(1_024).toArray();
  }

  /**
   * Asks as many hashes of a filter that has half of them, and waits until the trial of this class
   * loader has ended.
   */
  static void pass(FilterView filter, long[] hashes) {
    int[] hits = new int[hashes.length];
    for (long asked = 0; asked <= HASHES_BEFORE; asked += hashes.length) {
      int unused = filter.select(hashes, 0, hashes.length, hits);
    }
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(THREAD)) {
        join(thread);
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
