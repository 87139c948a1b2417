package io.bloomery.window;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import org.jspecify.annotations.Nullable;

/** A part of a window: a filter, from when it is empty to when it is cleared again. */
final class Generation {

  final Filter filter;

  /** The number of distinct keys put into it. */
  long taken;

  /** The number of these that no generation remembered when they were put. */
  long unknown;

  /** Its statistics since it gets no more keys; null before they are known. */
  @Nullable FilterStats closed;

  /** Whether its filter is or will be cleared. */
  boolean isOver;

  Generation(Filter filter, long taken, long unknown) {
    this.filter = filter;
    this.taken = taken;
    this.unknown = unknown;
  }

  /** Clears the filter, and returns the generation that it has next. */
  Generation cleared() {
    filter.clear();
    return new Generation(filter, 0, 0);
  }
}
