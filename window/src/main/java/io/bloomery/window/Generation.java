package io.bloomery.window;

import io.bloomery.filter.Filter;

/** A part of a window: a filter that is cleared as a whole. */
final class Generation {

  final Filter filter;

  /** The number of distinct keys put into it. */
  long taken;

  /** The number of these that no generation remembered when they were put. */
  long unknown;

  Generation(Filter filter, long taken, long unknown) {
    this.filter = filter;
    this.taken = taken;
    this.unknown = unknown;
  }

  void clear() {
    filter.clear();
    taken = 0;
    unknown = 0;
  }
}
