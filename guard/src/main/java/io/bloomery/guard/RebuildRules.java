package io.bloomery.guard;

import java.time.Duration;
import java.util.Optional;

/**
 * When a guard rebuilds its filter by itself.
 *
 * @param every how long after the last one; empty for never
 * @param pause the shortest time between two that nobody asked for, also after a failure
 * @param patience how long to wait for an earlier write to end, and for the source's next key
 * @param rateFactor how many times the planned rate may be measured before one is due
 */
record RebuildRules(
    Optional<Duration> every, Duration pause, Duration patience, double rateFactor) {

  static final RebuildRules DEFAULTS =
      new RebuildRules(Optional.empty(), Duration.ofMinutes(1), Duration.ofMinutes(5), 2);

  /** Returns how often to look whether one is due, or has come to a standstill. */
  Duration lookEvery() {
    Duration shortest = every.isPresent() && every.get().compareTo(pause) < 0 ? every.get() : pause;
    shortest = patience.compareTo(shortest) < 0 ? patience : shortest;
    long millis = Math.min(1_000, AnswerLimits.nanos(shortest) / 4_000_000);
    return Duration.ofMillis(Math.max(5, millis));
  }
}
