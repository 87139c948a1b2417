package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.util.Optional;

/**
 * The statistics of a filter, kept, because taking them reads all of it: they are taken again only
 * if keys came since, and so seldom that it takes at most a hundredth of one thread's time.
 */
final class Measurement {

  private static final long MIN_PAUSE_NANOS = 1_000_000_000L;

  private final BloomFilterView<?> view;
  private volatile boolean outdated = true;
  private volatile Optional<FilterStats> stats = Optional.empty();
  private long nextNanos = System.nanoTime();

  Measurement(BloomFilterView<?> view) {
    this.view = view;
  }

  /** Says that keys came or went. */
  void outdated() {
    if (!outdated) { // which most threads only read
      outdated = true;
    }
  }

  /** Returns the statistics as they were taken last: none yet, or the filter could not tell. */
  Optional<FilterStats> last() {
    return stats;
  }

  /** Takes the statistics if it is time. */
  synchronized void refresh() {
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
    } catch (FilterUnavailableException e) {
      return Optional.empty();
    }
  }
}
