package io.bloomery.guard;

import io.bloomery.filter.FilterUnavailableException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A circuit breaker around the queries of a filter, which may be on a server that hangs: after some
 * failures in a row it opens, so that queries do without the filter instead of waiting. Once a
 * pause, one query tries it again, and closes the breaker if it gets an answer.
 *
 * <p>Only queries are left out. A write that a filter missed takes it out of service for good.
 */
final class FilterBreaker {

  private final AnswerLimits limits;
  private final GuardLog log;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicLong nextTryNanos = new AtomicLong();
  private volatile String lastFailure = "";

  FilterBreaker(AnswerLimits limits, GuardLog log) {
    this.limits = limits;
    this.log = log;
  }

  /** Returns whether the caller may query the filter, and then reports how it went. */
  boolean permits() {
    if (!isOpen()) {
      return true;
    }
    long due = nextTryNanos.get();
    long now = System.nanoTime();
    return now - due >= 0 && nextTryNanos.compareAndSet(due, now + pauseNanos());
  }

  void succeeded() {
    if (failures.get() != 0 && failures.getAndSet(0) >= limits.filterFailures()) {
      log.info(": its filter answers again");
    }
  }

  void failed(FilterUnavailableException failure) {
    lastFailure = GuardLog.describe(failure);
    // First: once it is open, no query may find that a try is due.
    nextTryNanos.set(System.nanoTime() + pauseNanos());
    int inRow = failures.accumulateAndGet(1, (sum, one) -> Math.max(sum, sum + one));
    if (inRow == limits.filterFailures()) {
      log.warning(": " + reason());
    }
  }

  /** Returns why queries do without the filter, or empty if they query it. */
  Optional<String> openReason() {
    return isOpen() ? Optional.of(reason()) : Optional.empty();
  }

  private boolean isOpen() {
    return failures.get() >= limits.filterFailures();
  }

  private long pauseNanos() {
    return AnswerLimits.nanos(limits.filterPause());
  }

  private String reason() {
    return "its filter failed "
        + limits.filterFailures()
        + " queries in a row, is queried once every "
        + limits.filterPause()
        + ", and every key passes until it answers: "
        + lastFailure;
  }
}
