package io.bloomery.filter;

import java.util.function.LongUnaryOperator;

/**
 * The bits of a filter that tell the number of its keys, on the heap or in a mapped file.
 *
 * @param variant the name of the variant
 * @param spec the specification of the filter
 * @param layout the layout; filters of equal variant and layout have the same number of words
 * @param words the words by index, as they are now
 * @param estimator the estimator of the number of keys from words of this layout
 */
public record FilterBits(
    String variant,
    FilterSpec spec,
    FilterLayout layout,
    LongUnaryOperator words,
    KeyEstimator estimator) {

  /** Returns the same bits with another estimator. */
  public FilterBits with(KeyEstimator estimator) {
    return new FilterBits(variant, spec, layout, words, estimator);
  }
}
