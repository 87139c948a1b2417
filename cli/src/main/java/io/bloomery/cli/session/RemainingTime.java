package io.bloomery.cli.session;

import java.time.Duration;
import java.util.Optional;

/**
 * How long the rest of some work may take, as fast as it went lately. Nothing is said before that
 * can be known: a program that has just been started is slow, and what it did meanwhile would make
 * hours of a minute.
 */
final class RemainingTime {

  private static final double STARTED_SECONDS = 1;
  private static final double KNOWN_SECONDS = 3;

  private final long all;
  private double markSeconds = -1;
  private long doneAtMark;

  /** Takes how much there is to do in all; if that is not positive, nobody knows. */
  RemainingTime(long all) {
    this.all = all;
  }

  /** Returns the time for the rest when so much was done after so long; call it every second. */
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
