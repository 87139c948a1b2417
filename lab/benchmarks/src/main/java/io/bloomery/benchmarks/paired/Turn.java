package io.bloomery.benchmarks.paired;

import org.apache.commons.math3.stat.StatUtils;

/**
 * A turn of a contender in a round: some unmeasured keys bring its filter into the caches as far as
 * it fits, then chunks of keys are timed one by one. The result is their median.
 *
 * @param warm the number of unmeasured keys
 * @param chunks the number of timed chunks
 * @param chunk the number of keys in a chunk
 */
record Turn(int warm, int chunks, int chunk) {

  static final int CHUNK = 1_024;

  Turn(int warm, int chunks) {
    this(warm, chunks, CHUNK);
  }

  /** Returns the number of keys of a turn. */
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

  /** Consumes counted results, so that no query is eliminated as dead code. */
  static void checkSink(long sink) {
    if (sink < 0) {
      throw new IllegalStateException("a count must not be negative");
    }
  }
}
