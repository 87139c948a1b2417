package io.bloomery.window;

import io.bloomery.filter.FilterSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The length of a window: a number of distinct keys, or a time, for which this number of keys is
 * expected.
 *
 * @param keys the number of distinct keys
 * @param nanos the time in nanoseconds, or {@link #BY_KEYS}
 */
record Extent(long keys, long nanos) {

  /** The time of a window that counts keys. */
  static final long BY_KEYS = 0;

  /** The number of generations. */
  static final int GENERATIONS = 3;

  static final Duration SHORTEST = Duration.ofMillis(1);
  static final Duration LONGEST = Duration.ofDays(25_000);

  /**
   * Checks a time.
   *
   * @throws IllegalArgumentException if it is too short or too long
   */
  static long nanos(Duration time) {
    Objects.requireNonNull(time, "time");
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the time of a window must be from 1 ms to 25,000 days, but was " + time);
    }
    return time.toNanos();
  }

  boolean isByTime() {
    return nanos != BY_KEYS;
  }

  /** Returns the time for which keys are remembered at least, or nothing if keys are counted. */
  Optional<Duration> time() {
    return isByTime() ? Optional.of(Duration.ofNanos(nanos)) : Optional.empty();
  }

  /** Returns the time for which a generation is the youngest: half of the window, rounded up. */
  long step() {
    return nanos - nanos / 2;
  }

  /**
   * Returns the number of keys not remembered before after which a generation is closed: half of
   * the window, rounded up and down in turns, so that any two generations have at least the window,
   * and any three at most one and a half of it, rounded up.
   *
   * @param isOdd whether an odd number of generations was begun before it
   */
  long newKeysOf(boolean isOdd) {
    return isOdd ? Math.max(1, keys / 2) : keys - keys / 2;
  }

  /**
   * Returns the number of keys for which the filter of a generation is created: more than it takes,
   * as only keys that change it are counted.
   *
   * @param rate the rate of a generation
   */
  long keysOfGeneration(double rate) {
    return (long) Math.ceil(keys / (1 - rate));
  }

  /**
   * Returns the rate of a generation.
   *
   * @param rate the rate of the window
   * @throws IllegalArgumentException if the rate is not possible for the number of keys
   */
  double rateOfGeneration(double rate) {
    double third = rate / GENERATIONS;
    double lowest = FilterSpec.lowestRate(keysOfGeneration(third));
    if (third < lowest) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + GENERATIONS * lowest
              + " for a window of "
              + keys
              + " keys, each of whose three filters has a third of it, but was "
              + rate);
    }
    return third;
  }
}
