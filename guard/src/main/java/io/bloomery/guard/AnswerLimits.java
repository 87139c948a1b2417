package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Limits of a guard's caches of values and absences, and of the duration of loads. Immutable: each
 * method returns a new instance.
 *
 * <p>Defaults: 10,000 values for ten minutes, 10,000 confirmed absences for one minute, and no time
 * limit for loads.
 */
public final class AnswerLimits {

  private static final AnswerLimits DEFAULTS =
      new AnswerLimits(
          10_000, Duration.ofMinutes(10), 10_000, Duration.ofMinutes(1), Optional.empty());

  private final long values;
  private final Duration valueAge;
  private final long absences;
  private final Duration absenceAge;
  private final Optional<Duration> loadTimeout;

  private AnswerLimits(
      long values,
      Duration valueAge,
      long absences,
      Duration absenceAge,
      Optional<Duration> loadTimeout) {
    this.values = values;
    this.valueAge = valueAge;
    this.absences = absences;
    this.absenceAge = absenceAge;
    this.loadTimeout = loadTimeout;
  }

  /** Returns the default limits. */
  public static AnswerLimits defaults() {
    return DEFAULTS;
  }

  /**
   * Sets the maximum number of cached values and their maximum age since they were loaded.
   *
   * @param count 0 for no cache
   */
  public AnswerLimits values(long count, Duration age) {
    return new AnswerLimits(
        checked("values", count), positive("value age", age), absences, absenceAge, loadTimeout);
  }

  /**
   * Sets the maximum number and age of confirmed absences: keys that passed the filter and that the
   * source has reported as absent. A key that another process writes without reporting it may be
   * reported as absent for that age.
   *
   * @param count 0 for no cache
   */
  public AnswerLimits absences(long count, Duration age) {
    return new AnswerLimits(
        values, valueAge, checked("absences", count), positive("absence age", age), loadTimeout);
  }

  /**
   * Sets the maximum duration of a load. Loads then run on a thread of the guard, which is
   * interrupted after that time, instead of on the calling thread with its transaction and context.
   * Without a limit, the source must have time-outs of its own.
   */
  public AnswerLimits loadTimeout(Duration timeout) {
    return new AnswerLimits(
        values, valueAge, absences, absenceAge, Optional.of(positive("load time-out", timeout)));
  }

  Caffeine<Object, Object> valueCache() {
    return cache(values, valueAge);
  }

  Caffeine<Object, Object> absenceCache() {
    return cache(absences, absenceAge);
  }

  Optional<Duration> loadTimeout() {
    return loadTimeout;
  }

  // Maintenance on the calling thread: a guard must leave no work to a pool that outlives it.
  private static Caffeine<Object, Object> cache(long count, Duration age) {
    // By weight: a load in progress weighs nothing and so is not evicted, whatever the count.
    return Caffeine.newBuilder()
        .maximumWeight(count)
        .weigher((key, value) -> 1)
        .expireAfterWrite(age)
        .executor(Runnable::run);
  }

  private static long checked(String name, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(name + " must be at least 0, but were " + count);
    }
    return count;
  }

  static Duration positive(String name, Duration duration) {
    Objects.requireNonNull(duration, name + " must not be null");
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be longer than 0, but was " + duration);
    }
    return duration;
  }

  /** Returns a duration in nanoseconds, limited to a century so that it fits. */
  static long nanos(Duration duration) {
    return Math.min(duration.toSeconds(), 3_155_760_000L) * 1_000_000_000L + duration.toNanosPart();
  }

  @Override
  public String toString() {
    return values
        + " values for "
        + valueAge
        + ", "
        + absences
        + " absences for "
        + absenceAge
        + loadTimeout.map(timeout -> ", loads of " + timeout + " at most").orElse("");
  }
}
