package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How much a guard remembers of what its source said, and for how long. It does not change: each
 * method returns another one.
 *
 * <p>If nothing is said: 10,000 values for ten minutes, 10,000 confirmed absences for one minute,
 * and loads may take as long as they like.
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

  /** Returns the limits that hold if nothing is said. */
  public static AnswerLimits defaults() {
    return DEFAULTS;
  }

  /**
   * Sets how many values are cached and for how long after they were loaded.
   *
   * @param count 0 to cache none
   */
  public AnswerLimits values(long count, Duration age) {
    return new AnswerLimits(
        checked("values", count), positive("value age", age), absences, absenceAge, loadTimeout);
  }

  /**
   * Sets how many confirmed absences are remembered and for how long: keys that the filter lets
   * through and the source has said it does not have. For so long a key may be called absent that
   * another process has written without reporting it.
   *
   * @param count 0 to remember none
   */
  public AnswerLimits absences(long count, Duration age) {
    return new AnswerLimits(
        values, valueAge, checked("absences", count), positive("absence age", age), loadTimeout);
  }

  /**
   * Sets how long a load may take. It then runs on a thread of the guard, which is interrupted
   * afterwards, and not on the thread that asks, where it has that thread's transaction and
   * context. Without, the source must have time-outs of its own.
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

  // On the thread that asks: a guard must leave no work to a pool that outlives it.
  private static Caffeine<Object, Object> cache(long count, Duration age) {
    // By weight, since a load that runs weighs nothing and so is not evicted, whatever the count.
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

  /** Returns nanoseconds, of at most a century: more would not fit, and is as good as for ever. */
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
