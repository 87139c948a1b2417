package io.bloomery.guard;

import java.time.Duration;
import java.util.Optional;

/**
 * The conditions under which a guard rebuilds its filter automatically.
 *
 * @param every the time since the last rebuild; empty for no schedule
 * @param pause the minimum time between two rebuilds that were not requested, also after a failure
 * @param patience the maximum wait for an earlier write to end, and for the source's next key
 * @param rateFactor the ratio of the measured to the planned rate above which a rebuild is due
 */
record RebuildRules(
    Optional<Duration> every, Duration pause, Duration patience, double rateFactor) {

  static final RebuildRules DEFAULTS =
      new RebuildRules(Optional.empty(), Duration.ofMinutes(1), Duration.ofMinutes(5), 2);

  /** Returns the minimum time between two rebuilds that were not requested. */
  Duration shortestPause() {
    return every.filter(interval -> interval.compareTo(pause) < 0).orElse(pause);
  }

  /** Returns the interval between checks for a due or stalled rebuild. */
  Duration lookEvery() {
    Duration shortest = shortestPause();
    shortest = patience.compareTo(shortest) < 0 ? patience : shortest;
    long millis = Math.min(1_000, AnswerLimits.nanos(shortest) / 4_000_000);
    return Duration.ofMillis(Math.max(5, millis));
  }
}
