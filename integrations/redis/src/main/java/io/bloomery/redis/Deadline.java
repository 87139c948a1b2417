package io.bloomery.redis;

import java.util.concurrent.TimeUnit;

/**
 * When a record expires at the earliest, by the clocks of this process. A process that was
 * suspended knows by the one or the other clock that it was.
 */
record Deadline(long begunNanos, long begunMillis, long leftMillis) {

  /** Returns the deadline of what has this time left now, or later if that was asked now. */
  static Deadline in(long leftMillis) {
    return new Deadline(System.nanoTime(), System.currentTimeMillis(), leftMillis);
  }

  Deadline withLeft(long millis) {
    return new Deadline(begunNanos, begunMillis, millis);
  }

  long left() {
    long elapsed =
        Math.max(
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos),
            System.currentTimeMillis() - begunMillis);
    return leftMillis - elapsed;
  }
}
