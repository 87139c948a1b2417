package io.bloomery.window;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The two clocks of a window: a monotonic one while the window is in memory, and the wall clock for
 * the time in which it is only in a file.
 *
 * @param ticker nanoseconds from an arbitrary origin, as {@link System#nanoTime}
 * @param wall the time of day
 */
record WindowClock(LongSupplier ticker, Clock wall) {
  // decisions.md#a-window-of-a-time-has-two-clocks

  private static final long NANOS = 1_000_000_000;
  private static final long LAST_SECOND = Long.MAX_VALUE / NANOS - 1;

  static final WindowClock SYSTEM = new WindowClock(System::nanoTime, Clock.systemUTC());

  long tick() {
    return ticker.getAsLong();
  }

  /** Returns the nanoseconds since 1970, of the years 1970 to 2262. */
  long wallNanos() {
    Instant now = wall.instant();
    long second = Math.max(0, Math.min(now.getEpochSecond(), LAST_SECOND));
    return second * NANOS + now.getNano();
  }
}
