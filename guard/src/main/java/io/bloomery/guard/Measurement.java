package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterStats;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Cached statistics of a filter, since computing them reads the whole filter: they are refreshed
 * only if keys changed, and so rarely that it takes at most a hundredth of one thread's time.
 */
final class Measurement {

  private static final long MIN_PAUSE_NANOS = 1_000_000_000L;

  private final BloomFilterView<?> view;
  private volatile boolean outdated = true;
  private volatile Optional<FilterStats> stats = Optional.empty();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private long nextNanos = System.nanoTime();

  Measurement(BloomFilterView<?> view) {
    this.view = view;
  }

  /** Records that keys were added or removed. */
  void outdated() {
    if (!outdated) { // read first: avoids contention on the write
      outdated = true;
    }
  }

  /** Returns the last statistics; empty if there are none yet, or the filter could not be read. */
  Optional<FilterStats> last() {
    return stats;
  }

  /**
   * Refreshes the statistics if they are due, unless another thread is doing it: the filter may
   * take long to answer, on a server for example.
   */
  void refresh() {
    if (refreshing.compareAndSet(false, true)) {
      try {
        refreshIfDue();
      } finally {
        refreshing.set(false);
      }
    }
  }

  private void refreshIfDue() {
    long start = System.nanoTime();
    if (outdated && start - nextNanos >= 0) {
      outdated = false;
      stats = take();
      long end = System.nanoTime();
      nextNanos = end + Math.max(MIN_PAUSE_NANOS, 99 * (end - start));
    }
  }

  private Optional<FilterStats> take() {
    try {
      return Optional.of(view.stats());
    } catch (RuntimeException e) {
      // Of whatever kind: a rebuild must not fail, nor a look at the clock, for want of a number.
      outdated = true;
      return Optional.empty();
    }
  }
}
