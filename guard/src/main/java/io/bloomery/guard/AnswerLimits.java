package io.bloomery.guard;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * Limits of a guard's caches of values and absences, of the duration of loads, and of its patience
 * with a filter that does not answer. Immutable: each method returns a new instance.
 *
 * <p>Defaults: 10,000 values for ten minutes, 10,000 confirmed absences for one minute, no time
 * limit for loads, and five failures of the filter in a row, then a pause of five seconds.
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation, which may be missing at compile and run time
public final class AnswerLimits {

  private static final AnswerLimits DEFAULTS = new AnswerLimits();

  private long values = 10_000;
  private Duration valueAge = Duration.ofMinutes(10);
  private long absences = 10_000;
  private Duration absenceAge = Duration.ofMinutes(1);
  private Optional<Duration> loadTimeout = Optional.empty();
  private int maxLoads = 256;
  private Optional<ThreadFactory> loadThreads = Optional.empty();
  private int filterFailures = 5;
  private Duration filterPause = Duration.ofSeconds(5);

  private AnswerLimits() {}

  private AnswerLimits copy() {
    AnswerLimits copy = new AnswerLimits();
    copy.values = values;
    copy.valueAge = valueAge;
    copy.absences = absences;
    copy.absenceAge = absenceAge;
    copy.loadTimeout = loadTimeout;
    copy.maxLoads = maxLoads;
    copy.loadThreads = loadThreads;
    copy.filterFailures = filterFailures;
    copy.filterPause = filterPause;
    return copy;
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
    AnswerLimits copy = copy();
    copy.values = atLeast(0, "values", count);
    copy.valueAge = positive("value age", age);
    return copy;
  }

  /**
   * Sets the maximum number and age of confirmed absences: keys that passed the filter and that the
   * source has reported as absent. A key that another process writes without reporting it may be
   * reported as absent for that age.
   *
   * @param count 0 for no cache
   */
  public AnswerLimits absences(long count, Duration age) {
    AnswerLimits copy = copy();
    copy.absences = atLeast(0, "absences", count);
    copy.absenceAge = positive("absence age", age);
    return copy;
  }

  /**
   * Sets the maximum duration of a load. Loads then run on a thread of the guard, which is
   * interrupted after that time, instead of on the calling thread with its transaction and context.
   * Without a limit, the source must have time-outs of its own.
   */
  public AnswerLimits loadTimeout(Duration timeout) {
    AnswerLimits copy = copy();
    copy.loadTimeout = Optional.of(positive("load time-out", timeout));
    return copy;
  }

  /**
   * Sets how many loads with a {@linkplain #loadTimeout time limit} run at a time, by default 256;
   * further ones wait for their turn, as a part of their time. Each takes a thread, also one that
   * ignores the interrupt, until it ends. A load that the source asks for while it loads runs
   * within the time and on the thread of the outer one, and does not count.
   *
   * @param count at least 1
   */
  public AnswerLimits maxLoads(int count) {
    AnswerLimits copy = copy();
    copy.maxLoads = (int) atLeast(1, "maxLoads", count);
    return copy;
  }

  /**
   * Sets where the threads of loads with a {@linkplain #loadTimeout time limit} come from, a new
   * one for each load: {@code Thread.ofVirtual().factory()} for example, with {@link #maxLoads} as
   * the source allows. By default they are platform threads, which are used again.
   */
  public AnswerLimits loadThreads(ThreadFactory threads) {
    AnswerLimits copy = copy();
    copy.loadThreads = Optional.of(threads);
    return copy;
  }

  /**
   * Sets after how many failures in a row the filter, which may be on a server, is no longer
   * queried, and the pause after which one query tries it again. Meanwhile every key passes, the
   * guard is {@link GuardState#FAILED}, and {@link GuardStats#lastError} has the reason. Writes are
   * never left out.
   *
   * @param failures at least 1
   */
  public AnswerLimits filterFailures(int failures, Duration pause) {
    AnswerLimits copy = copy();
    copy.filterFailures = (int) atLeast(1, "failures", failures);
    copy.filterPause = positive("pause", pause);
    return copy;
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

  int maxLoads() {
    return maxLoads;
  }

  Optional<ThreadFactory> loadThreads() {
    return loadThreads;
  }

  int filterFailures() {
    return filterFailures;
  }

  Duration filterPause() {
    return filterPause;
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

  private static long atLeast(long least, String name, long count) {
    if (count < least) {
      throw new IllegalArgumentException(
          name + " must be at least " + least + ", but was " + count);
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
        + loadTimeout
            .map(timeout -> ", at most " + maxLoads + " loads of at most " + timeout)
            .orElse("")
        + ", "
        + filterFailures
        + " failures of the filter, then a pause of "
        + filterPause;
  }
}
