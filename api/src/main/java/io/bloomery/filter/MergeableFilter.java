package io.bloomery.filter;

import io.bloomery.internal.Mismatch;
import java.util.Optional;

/** A {@link Filter} that supports merging: the union with another filter. */
public interface MergeableFilter extends Filter {

  /**
   * Merges {@code other} into this filter, which then contains the union of both; {@code other} is
   * not changed. A full filter accepts a merge that needs no further room, of an empty filter for
   * example or of one whose content it already has, and rejects any other as a whole.
   *
   * @throws IllegalArgumentException if {@link #incompatibility} returns a reason; this filter is
   *     unchanged
   * @throws FilterFullException if the filters are compatible, but the union exceeds {@link
   *     #limits}, the heap or the highest count; this filter is unchanged
   */
  void putAll(Filter other);

  /**
   * Returns the reason why {@code other} cannot be merged into this filter, or empty if it can.
   * Filters can be merged when variant, hash id, key form, layout and class are equal; expected
   * keys, rate and other attributes may differ. Content is not compared: only {@link #putAll} finds
   * whether there is room for the union.
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
