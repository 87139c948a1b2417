package io.bloomery.benchmarks.paired;

import org.apache.commons.math3.stat.StatUtils;

/**
 * A contender's turn in a round: it goes through some keys unmeasured, to have its own filter in
 * the caches as far as it fits, and then through chunks that are timed one by one. The figure of
 * the turn is their median.
 *
 * @param warm how many keys come first, unmeasured
 * @param chunks how many chunks are timed
 * @param chunk how many keys a chunk has
 */
record Turn(int warm, int chunks, int chunk) {

  static final int CHUNK = 1_024;

  Turn(int warm, int chunks) {
    this(warm, chunks, CHUNK);
  }

  /** Returns how many keys a turn takes. */
  int size() {
    return warm + chunks * chunk;
  }

  /** Returns the median time of an operation in nanoseconds. */
  double run(Contender contender, Action action, Object keys) {
    long sink = contender.run(action, keys, 0, warm);
    double[] nanos = new double[chunks];
    for (int i = 0; i < chunks; i++) {
      int from = warm + i * chunk;
      long start = System.nanoTime();
      sink += contender.run(action, keys, from, from + chunk);
      nanos[i] = (double) (System.nanoTime() - start) / chunk;
    }
    checkSink(sink);
    return StatUtils.percentile(nanos, 50);
  }

  /** Makes use of what was counted, so that no query is dropped as useless. */
  static void checkSink(long sink) {
    if (sink < 0) {
      throw new IllegalStateException("a count must not be negative");
    }
  }
}
