package io.bloomery.window;

import io.bloomery.filter.Filter;

/** A generation in memory. */
final class HeapGeneration extends Generation {

  private final Filter puts;

  HeapGeneration(Filter filter, long taken, long unknown) {
    super(filter, taken, unknown);
    this.puts = filter;
  }

  @Override
  boolean put(long hash) {
    return puts.put(hash);
  }

  @Override
  Generation cleared() {
    puts.clear();
    return new HeapGeneration(puts, 0, 0);
  }
}
