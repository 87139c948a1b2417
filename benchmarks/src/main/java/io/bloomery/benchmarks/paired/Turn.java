package io.bloomery.benchmarks.paired;

import org.apache.commons.math3.stat.StatUtils;

/**
 * A contender's turn in a round: it goes through some keys unmeasured, to have its own filter in
 * the caches as far as it fits, and then through chunks of 1,024 that are timed one by one. The
 * figure of the turn is their median.
 */
final class Turn {

  static final int CHUNK = 1_024;

  private final int warm;
  private final int chunks;

  Turn(int warm, int chunks) {
    this.warm = warm;
    this.chunks = chunks;
  }

  /** Returns how many keys a turn takes. */
  int size() {
    return warm + chunks * CHUNK;
  }

  /** Returns the median time of an operation in nanoseconds. */
  double run(Contender contender, Action action, Object keys) {
    long sink = contender.run(action, keys, 0, warm);
    double[] nanos = new double[chunks];
    for (int i = 0; i < chunks; i++) {
      int from = warm + i * CHUNK;
      long start = System.nanoTime();
      sink += contender.run(action, keys, from, from + CHUNK);
      nanos[i] = (double) (System.nanoTime() - start) / CHUNK;
    }
    if (sink < 0) {
      throw new IllegalStateException("a count must not be negative");
    }
    return StatUtils.percentile(nanos, 50);
  }
}
