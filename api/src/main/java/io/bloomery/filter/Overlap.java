package io.bloomery.filter;

import io.bloomery.internal.Mismatch;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An estimate of how many keys two filters have, and share, from their bits.
 *
 * <p>The filters must have one variant, layout, hash id and key form, as filters made with the same
 * options have; one or both may be memory-mapped. {@code docs/overlap.md} derives the estimates and
 * their intervals. To get a filter of the keys that both contain, see {@link
 * MergeableFilter#intersection}.
 *
 * @param keys the number of keys of the first filter
 * @param otherKeys the number of keys of the second
 * @param union the number of keys that at least one of them contains
 * @param common the number of keys that both contain
 * @param jaccard the Jaccard index: {@code common / union}, 1 if both are empty
 * @param containment the share of the keys of the first that the second contains, 1 if the first is
 *     empty
 * @param otherContainment the share of the keys of the second that the first contains, 1 if the
 *     second is empty
 */
public record Overlap(
    Estimate keys,
    Estimate otherKeys,
    Estimate union,
    Estimate common,
    Estimate jaccard,
    Estimate containment,
    Estimate otherContainment) {

  /** The number of standard deviations of an interval at 95 %. */
  private static final double AT_95_PERCENT = 1.959964;

  /**
   * An estimate of a number, with an interval. Its ends stand for whole numbers of keys.
   *
   * @param value the estimate
   * @param low the lower end of the interval, from 0 to {@code value}
   * @param high the upper end, at least {@code value}
   */
  public record Estimate(double value, double low, double high) {}

  /**
   * Estimates the overlap of two filters, with intervals at 95 %.
   *
   * @see #of(FilterView, FilterView, double)
   */
  public static Optional<Overlap> of(FilterView one, FilterView other) {
    return of(one, other, AT_95_PERCENT);
  }

  /**
   * Estimates the overlap of two filters; empty if every bit is set in one of them, whatever the
   * other has, or in their union, which allows no estimate. All numbers are finite. Reads all bits
   * of both three times or less often, and changes neither. Intervals hold for filters into which
   * nothing is put meanwhile: take a copy of one that others fill.
   *
   * @param deviations the number of standard deviations to either side that intervals extend to,
   *     greater than 0: 1.96 for 95 %, 2.58 for 99 %
   * @throws IllegalArgumentException if the filters differ in variant, layout, hash id or key form,
   *     their variant has no bits that tell the number of keys, or one of them {@linkplain
   *     FilterSpec#isIntersection is an intersection}
   */
  public static Optional<Overlap> of(FilterView one, FilterView other, double deviations) {
    if (!(deviations > 0 && deviations < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "deviations must be finite and greater than 0, 1.96 for example, but was " + deviations);
    }
    FilterBits first = bits(one);
    FilterBits second = bits(other);
    Mismatch.of(side("in the first", first), side("in the second", second))
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(
                  "filters cannot be compared: "
                      + reason
                      + "; make one of them again as the other was made");
            });
    OptionalDouble keys = first.estimator().keys(first.words());
    OptionalDouble otherKeys = second.estimator().keys(second.words());
    if (keys.isEmpty() || otherKeys.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble union =
        first.estimator().keys(i -> first.words().applyAsLong(i) | second.words().applyAsLong(i));
    return union.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OverlapIntervals(
                    first.estimator(),
                    keys.getAsDouble(),
                    otherKeys.getAsDouble(),
                    union.getAsDouble(),
                    deviations)
                .overlap());
  }

  private static FilterBits bits(FilterView view) {
    Optional<FilterBits> bits = view.overlapBits();
    if (bits.isEmpty()) {
      throw new IllegalArgumentException(
          "filters must be of a variant whose bits tell how many keys it has in common, such as"
              + " 'standard', but one is "
              + view
              + "; count the keys of one that the other contains");
    }
    if (bits.get().spec().isIntersection()) {
      throw new IllegalArgumentException(
          "filters must not be intersections, whose bits do not tell the number of keys, but one is "
              + view
              + "; compare the filters that it was made of");
    }
    return bits.get();
  }

  private static Mismatch.Side side(String place, FilterBits bits) {
    FilterSpec spec = bits.spec();
    return new Mismatch.Side(
        place,
        bits.variant(),
        spec.hashId(),
        spec.keyForm(),
        spec.expectedKeys(),
        spec.falsePositiveRate(),
        bits.layout());
  }
}
