package io.bloomery.filter;

import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;

/**
 * An estimator of the number of distinct keys from the words of a filter, for all filters of one
 * variant and layout. Thread-safe.
 *
 * <p>Its estimates for two sets, from filters of one layout, must covary as those for the keys that
 * both sets contain vary, which holds if the bits of different keys are independent: {@link
 * Overlap} relies on it.
 */
public interface KeyEstimator {

  /**
   * Returns the estimate; empty if every bit is set, which allows none. Takes time proportional to
   * the number of words.
   *
   * @param words the words by index, each of them read at most a few times
   */
  OptionalDouble keys(LongUnaryOperator words);

  /** Returns the variance of the estimate for a number of keys, at least 0. */
  double variance(double keys);
}
