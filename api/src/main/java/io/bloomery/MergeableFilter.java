package io.bloomery;

import java.util.Optional;

/** A {@link Filter} that can take in all that another one contains. */
public interface MergeableFilter extends Filter {

  /**
   * Adds everything that {@code other} contains; {@code other} stays as it is.
   *
   * @throws IllegalArgumentException if {@link #mismatch} gives a reason; nothing has changed
   */
  void putAll(Filter other);

  /**
   * Returns why {@code other} cannot be merged into this filter, or nothing if it can. Filters fit
   * when variant, hash id and layout are equal; expected keys and rate may differ.
   */
  Optional<String> mismatch(Filter other);
}
