package io.bloomery.filter;

import io.bloomery.internal.Mismatch;
import java.util.Optional;

/** A {@link Filter} that can take in all that another one contains. */
public interface MergeableFilter extends Filter {

  /**
   * Adds everything that {@code other} contains; {@code other} stays as it is. A filter that is
   * full takes in what needs no more room than it has, as {@code other} does that is empty or whose
   * content is all here, and refuses anything else as a whole.
   *
   * @throws IllegalArgumentException if {@link #incompatibility} gives a reason; nothing has
   *     changed
   * @throws FilterFullException if it gives none, but what both contain has no room here: at {@link
   *     #limits}, in the heap, or beyond the highest count that there can be; nothing has changed
   */
  void putAll(Filter other);

  /**
   * Returns why {@code other} cannot be merged into this filter, or nothing if it can. Filters can
   * be merged when variant, hash id, key form, layout and class are equal; expected keys, rate and
   * other attributes may differ. Content is not compared: whether there is room for both is seen by
   * {@link #putAll} alone.
   */
  default Optional<String> incompatibility(Filter other) {
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
