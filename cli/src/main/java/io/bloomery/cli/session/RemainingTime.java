package io.bloomery.cli.session;

import java.time.Duration;
import java.util.Optional;

/**
 * Estimates the remaining time of some work from its speed since the first second. There is no
 * estimate in the first three seconds: a program that has just started is slow, and its speed at
 * the start would turn a minute into hours.
 */
final class RemainingTime {

  private static final double STARTED_SECONDS = 1;
  private static final double KNOWN_SECONDS = 3;

  private final long all;
  private double markSeconds = -1;
  private long doneAtMark;

  /** Creates an estimate for a total amount of work; if it is not positive, it is unknown. */
  RemainingTime(long all) {
    this.all = all;
  }

  /**
   * Returns the remaining time when {@code done} is complete after {@code elapsed}; must be called
   * about every second.
   */
  Optional<Duration> after(Duration elapsed, long done) {
    double seconds = elapsed.toMillis() / 1e3;
    if (markSeconds < 0 && seconds >= STARTED_SECONDS) {
      markSeconds = seconds;
      doneAtMark = done;
    }
    if (all <= 0 || seconds < KNOWN_SECONDS || seconds <= markSeconds || done <= doneAtMark) {
      return Optional.empty();
    }
    double speed = (done - doneAtMark) / (seconds - markSeconds);
    return Optional.of(Duration.ofSeconds(Math.round(Math.max(0, all - done) / speed)));
  }
}
