package io.bloomery.filter;

import io.bloomery.internal.Mismatch;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.Sizing;
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
   * keys, rate and other attributes may differ, but an {@linkplain FilterSpec#isIntersection
   * intersection} is merged only into another, and into a shard only the same {@linkplain
   * Sharding#spec(int) shard}. Content is not compared: only {@link #putAll} finds whether there is
   * room for the union.
   */
  default Optional<String> incompatibility(Filter other) {
    return difference(other)
        .or(() -> Mismatch.ofMarks(spec().attributes(), other.spec().attributes()));
  }

  /**
   * Returns a new filter that finds every hash that both this filter and {@code other} find, and no
   * other: the bitwise and of their tables. Neither is changed: there is no {@code retainAll},
   * since no reader of a filter may see hashes vanish, and a spec never changes. A concurrent put
   * may or may not be in the result.
   *
   * <p>An intersection of filters is not the filter of the intersection: a hash of only one of the
   * two sets is found at the rate of the other filter. The {@linkplain FilterSpec#intersection
   * spec} of the result is therefore marked, its statistics have no number of keys, and it is not
   * merged into a filter without the mark; hashes put into it are found, as in any filter.
   *
   * @throws IllegalArgumentException if {@link #intersectionRefusal} returns a reason, or there is
   *     no room for the mark among the attributes or for the result in the heap
   */
  // decisions.md#an-intersection-is-a-new-filter-with-a-mark-not-retainall
  default MergeableFilter intersection(Filter other) {
    throw new IllegalArgumentException(MissingAbility.intersecting(variant()));
  }

  /**
   * Returns the reason why there is no intersection of this filter with {@code other}, or empty if
   * there is one: as {@link #incompatibility}, but marks do not matter, and the variant must {@link
   * #hasIntersections have intersections}.
   */
  default Optional<String> intersectionRefusal(Filter other) {
    return hasIntersections()
        ? difference(other)
        : Optional.of(MissingAbility.intersecting(variant()));
  }

  /** Returns whether {@link #intersection} is supported; by default it is not. */
  default boolean hasIntersections() {
    return false;
  }

  private Optional<String> difference(Filter other) {
    return Mismatch.of(side("here", this), side("there", other))
        .or(() -> sameClass(getClass(), other.getClass()));
  }

  /**
   * Returns the factors by which this filter can be {@link #folded}; by default none, with the
   * reason.
   */
  default Folding folding() {
    return Folding.none(MissingAbility.folding(variant()));
  }

  /**
   * Returns a filter of the same hashes in a smaller table, which is what putting them into an
   * empty one of its layout gives; this filter is not changed. Variant, hash id, expected keys,
   * attributes, limits and thread mode stay. The rate of its spec is what the smaller table is
   * planned to have at the expected keys, which is higher than before. It merges with every filter
   * of its layout, folded or not, and can be folded again.
   *
   * <p>Takes time in proportion to the size of this filter, and the memory of the new one. Observes
   * at least every put that returned before it began.
   *
   * @param factor how many times smaller the table becomes, one of the factors of {@link #folding};
   *     1 makes a copy
   * @throws IllegalArgumentException if {@code folding().refusal(factor)} returns a reason
   */
  default MergeableFilter folded(int factor) {
    throw new IllegalArgumentException(folding().refusal(factor).orElse("does not fold"));
  }

  /**
   * Returns this filter {@link #folded} by the largest factor at which the rate {@linkplain
   * FilterStats#falsePositiveRate measured} in the folded table, with the hashes that are in it
   * now, is at most {@code rate}; or this filter itself if there is none above 1. This filter is
   * not changed.
   *
   * <p>Tries about as many factors as the number of factors has binary digits, and takes at most as
   * much memory as this filter takes, at a time.
   *
   * @param rate between 0 and 1, exclusive
   * @throws IllegalArgumentException if the rate is out of range, or this filter does not fold by
   *     any factor
   */
  default MergeableFilter shrunk(double rate) {
    Sizing.checkRate(rate);
    int[] factors = folding().factors();
    if (factors.length == 0) {
      return folded(1); // throws, with the reason
    }
    MergeableFilter smallest = this;
    int good = 0;
    for (int bad = factors.length; bad - good > 1; ) {
      int middle = (good + bad) >>> 1;
      // What is measured is returned: others may put hashes into this filter meanwhile.
      MergeableFilter folded = folded(factors[middle]);
      if (folded.stats().falsePositiveRate() <= rate) {
        good = middle;
        smallest = folded;
      } else {
        bad = middle;
      }
    }
    return smallest;
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
