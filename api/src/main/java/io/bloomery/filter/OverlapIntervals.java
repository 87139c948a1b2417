package io.bloomery.filter;

import java.util.function.DoubleUnaryOperator;

/**
 * The estimates of an overlap from those of the numbers of keys in two sets and in their union.
 *
 * <p>Two estimates covary as much as that of the keys which both sets contain varies, from which
 * the variances below follow, for a true value that is assumed. An interval has the values from
 * which the estimate is at most so many standard deviations away, which holds at the ends of the
 * range, too, where no key or every key is common.
 *
 * @see <a href="https://doi.org/10.1080/01621459.1927.10502953">Wilson, 1927, for proportions</a>
 */
final class OverlapIntervals {

  private static final int BISECTIONS = 60;

  /** More keys than errors of rounding add up to, and too few to matter. */
  private static final double ROUNDING = 1e-6;

  private final KeyEstimator estimator;
  private final double first;
  private final double second;
  private final double union;
  private final double deviations;

  OverlapIntervals(
      KeyEstimator estimator, double first, double second, double union, double deviations) {
    this.estimator = estimator;
    this.first = Math.max(0, first);
    this.second = Math.max(0, second);
    // What no two sets have is an error of the estimates.
    double most = this.first + this.second;
    this.union = Math.min(most, Math.max(union, Math.max(this.first, this.second)));
    this.deviations = deviations;
  }

  Overlap overlap() {
    Overlap.Estimate keys = keys(first);
    Overlap.Estimate otherKeys = keys(second);
    double common = first + second - union;
    return new Overlap(
        keys,
        otherKeys,
        keys(union),
        common(common, Math.min(keys.high(), otherKeys.high())),
        jaccard(common),
        containment(common, first, second),
        containment(common, second, first));
  }

  private double variance(double keys) {
    return estimator.variance(Math.max(0, keys));
  }

  private Overlap.Estimate keys(double estimate) {
    double margin = deviations * Math.sqrt(variance(estimate));
    return whole(
        new Overlap.Estimate(estimate, Math.max(0, estimate - margin), estimate + margin), 1);
  }

  /** Returns an interval that ends at whole numbers of keys, given the keys of 1. */
  private static Overlap.Estimate whole(Overlap.Estimate exact, double keys) {
    double low = Math.floor(exact.low() * keys + ROUNDING) / keys;
    double high = Math.ceil(exact.high() * keys - ROUNDING) / keys;
    return new Overlap.Estimate(
        exact.value(), Math.min(low, exact.value()), Math.max(high, exact.value()));
  }

  /** Returns the interval of a share of keys. */
  private Overlap.Estimate share(double common, double keys, DoubleUnaryOperator variance) {
    Overlap.Estimate whole = whole(interval(Math.min(1, common / keys), 1, variance), keys);
    return new Overlap.Estimate(whole.value(), whole.low(), Math.min(1, whole.high()));
  }

  private Overlap.Estimate common(double common, double most) {
    DoubleUnaryOperator variance =
        keys ->
            // No union has fewer keys than one of the sets.
            variance(Math.max(first + second - keys, Math.max(first, second)))
                + 2 * variance(keys)
                - variance(first)
                - variance(second);
    return whole(interval(common, most, variance), 1);
  }

  private Overlap.Estimate jaccard(double common) {
    if (union == 0) {
      return new Overlap.Estimate(1, 1, 1);
    }
    double inOne = union - common;
    double ofFirst = inOne == 0 ? 0.5 : (union - second) / inOne;
    return share(
        common,
        union,
        index -> {
          double both = index * union;
          double one = both + (union - both) * ofFirst;
          double other = both + (union - both) * (1 - ofFirst);
          double sum = 1 + index;
          return (2 * variance(both)
                  + sum * sum * variance(union)
                  - (1 + 2 * index) * (variance(one) + variance(other)))
              / (union * union);
        });
  }

  /** Returns the share of the keys of a set that another contains. */
  private Overlap.Estimate containment(double common, double set, double other) {
    if (set == 0) {
      return new Overlap.Estimate(1, 1, 1);
    }
    return share(
        common,
        set,
        share -> {
          double left = 1 - share;
          double both = Math.min(share * set, other);
          return (left * left * variance(set)
                  + variance(set + other - both)
                  + 2 * left * variance(both)
                  - 2 * left * variance(set)
                  - variance(other))
              / (set * set);
        });
  }

  private Overlap.Estimate interval(double estimate, double most, DoubleUnaryOperator variance) {
    return new Overlap.Estimate(
        estimate, end(estimate, 0, variance), end(estimate, Math.max(most, estimate), variance));
  }

  /** Returns the end of an interval in the direction of a limit, which it does not exceed. */
  private double end(double estimate, double limit, DoubleUnaryOperator variance) {
    if (isPlausible(limit, estimate, variance)) {
      return limit;
    }
    double inside = estimate;
    double outside = limit;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (inside + outside) / 2;
      if (isPlausible(middle, estimate, variance)) {
        inside = middle;
      } else {
        outside = middle;
      }
    }
    return inside;
  }

  private boolean isPlausible(double value, double estimate, DoubleUnaryOperator variance) {
    double error = value - estimate;
    return error * error <= deviations * deviations * Math.max(0, variance.applyAsDouble(value));
  }
}
