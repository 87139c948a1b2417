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
   * Returns why {@code other} cannot be merged into this filter, or nothing if it can. Filters can
   * be merged when variant, hash id, key form, layout and class are equal; expected keys, rate and
   * other attributes may differ.
   */
  default Optional<String> mismatch(Filter other) {
    return Mismatch.of(this, other);
  }
}
