package io.bloomery.window;

import io.bloomery.filter.Filter;

/** The keys of one stretch of a window, in a filter of their own that is forgotten as a whole. */
final class Generation {

  final Filter filter;

  /** How many different keys it has taken. */
  long taken;

  /** How many of these no generation remembered when they came. */
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
