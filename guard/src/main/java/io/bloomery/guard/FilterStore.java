package io.bloomery.guard;

import io.bloomery.FilterBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Where the filters of a guard are. */
interface FilterStore<K> {

  /**
   * A filter that an earlier run kept.
   *
   * @param age the time since its filling began
   */
  record Kept<K>(FilledFilter<K> filter, Duration age) {}

  /**
   * Creates an empty filter, shared by threads.
   *
   * @param removable whether keys can be removed from it
   * @throws IllegalArgumentException if memory is refused for it
   * @throws IOException if there is no room for it, or it cannot be made
   */
  FilledFilter<K> create(FilterBuilder<K> plan, boolean removable) throws IOException;

  /** Returns the filter that an earlier run kept; asked for once, before others are created. */
  default Optional<Kept<K>> kept() {
    return Optional.empty();
  }

  /** Lets other guards use this place. */
  default void close() {}

  /** Returns the heap, or what else a builder creates filters in. */
  static <K> FilterStore<K> heap() {
    return (plan, removable) ->
        new HeapFilter<>(removable ? plan.createRemovable() : plan.create());
  }
}
