package io.bloomery.counting;

import io.bloomery.FilterFullException;
import io.bloomery.FilterLimits;
import java.util.concurrent.atomic.AtomicLong;

/** How many more positions may overflow within a filter's limits, in all stripes together. */
final class OverflowRoom {

  private final FilterLimits limits;
  private final long max;
  private final AtomicLong used;

  OverflowRoom(FilterLimits limits, CountingLayout layout, long used) {
    this.limits = limits;
    this.max =
        (limits.maxBytes() - layout.bytesOfAllPlanes()) / (OverflowEntries.WORDS * Long.BYTES);
    this.used = new AtomicLong(used);
  }

  private OverflowRoom(OverflowRoom other) {
    this.limits = other.limits;
    this.max = other.max;
    this.used = new AtomicLong(other.used.get());
  }

  OverflowRoom copy() {
    return new OverflowRoom(this);
  }

  boolean isLimited() {
    return !limits.equals(FilterLimits.HEAP);
  }

  /**
   * Takes room for so many positions.
   *
   * @throws FilterFullException if there is not so much; nothing has changed
   */
  void take(long positions) {
    if (used.addAndGet(positions) > max) {
      used.addAndGet(-positions);
      throw new FilterFullException(
          "with more counts above four the filter would take more than "
              + limits
              + "; remove keys, or allow more bytes when creating or opening it");
    }
  }

  void giveBack(long positions) {
    used.addAndGet(-positions);
  }

  void clear() {
    used.set(0);
  }
}
