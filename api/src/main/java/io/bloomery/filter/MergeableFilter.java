package io.bloomery.filter;

import io.bloomery.internal.Mismatch;
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
    return Mismatch.of(side("here", this), side("there", other))
        .or(() -> sameClass(getClass(), other.getClass()));
  }

  private static Mismatch.Side side(String place, Filter filter) {
    FilterSpec spec = filter.spec();
    return new Mismatch.Side(
        place,
        filter.variant(),
        spec.hashId(),
        spec.keyForm(),
        spec.expectedKeys(),
        spec.falsePositiveRate(),
        filter.layout());
  }

  private static Optional<String> sameClass(Class<?> here, Class<?> there) {
    return here == there
        ? Optional.empty()
        : Optional.of("class must be equal, but is " + here + " here and " + there + " there");
  }
}
