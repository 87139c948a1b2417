package io.bloomery.counting;

import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import java.util.concurrent.atomic.AtomicLong;

/** The number of planes of all stripes, bounded by the limits of the filter. */
final class SpillRoom {

  private final FilterLimits limits;
  private final long max;
  private final AtomicLong used;

  SpillRoom(FilterLimits limits, CountingLayout layout) {
    this(limits, (limits.maxBytes() - layout.bytesOfBlocks()) / Planes.BYTES, 0);
  }

  private SpillRoom(FilterLimits limits, long max, long used) {
    this.limits = limits;
    this.max = max;
    this.used = new AtomicLong(used);
  }

  SpillRoom copy() {
    return new SpillRoom(limits, max, used.get());
  }

  /** Returns the number of planes. */
  long used() {
    return used.get();
  }

  /**
   * Takes room for a number of planes.
   *
   * @throws FilterFullException if the limit would be exceeded; nothing has changed
   */
  void take(long planes) {
    if (used.addAndGet(planes) > max) {
      used.addAndGet(-planes);
      throw new FilterFullException(
          "with higher counts the filter would take more than "
              + limits
              + "; remove keys, or allow more bytes when creating or opening it");
    }
  }

  void giveBack(long planes) {
    used.addAndGet(-planes);
  }

  void clear() {
    used.set(0);
  }
}
