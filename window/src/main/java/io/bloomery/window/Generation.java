package io.bloomery.window;

import io.bloomery.filter.FilterStats;
import io.bloomery.filter.StoredFilter;
import org.jspecify.annotations.Nullable;

/** A part of a window: a filter, from when it is empty to when it is cleared again. */
abstract class Generation {

  final StoredFilter filter;

  /** The number of distinct keys put into it. */
  long taken;

  /** The number of these that no generation remembered when they were put. */
  long unknown;

  /** Its statistics since it gets no more keys; null before they are known. */
  @Nullable FilterStats closed;

  /** Whether its filter is or will be cleared. */
  boolean isOver;

  Generation(StoredFilter filter, long taken, long unknown) {
    this.filter = filter;
    this.taken = taken;
    this.unknown = unknown;
  }

  /** Puts a hash; returns whether this changed the filter. */
  abstract boolean put(long hash);

  /**
   * Counts a key that has changed the filter.
   *
   * @param isUnknown whether no generation remembered it
   */
  void count(boolean isUnknown) {
    taken++;
    if (isUnknown) {
      unknown++;
    }
  }

  /** Clears the filter, and returns the generation that it has next. */
  abstract Generation cleared();
}
