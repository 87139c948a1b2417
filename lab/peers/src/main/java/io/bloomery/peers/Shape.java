package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;

/**
 * The number of bits of a table and of bits set per key, with textbook formulas. These are not used
 * if a peer has its own functions.
 */
record Shape(long bits, int probes) {

  private static final double LN_2 = Math.log(2);

  /** Returns the size {@code -n ln(p) / ln(2)^2} and the optimal number of probes. */
  static Shape of(FilterSpec spec) {
    return new Shape(
        Math.max(1, (long) Math.ceil(spec.expectedKeys() * bitsPerKey(spec))),
        (int) Math.max(1, Math.round(bitsPerKey(spec) * LN_2)));
  }

  /** Returns {@code -ln(p) / ln(2)^2}. */
  static double bitsPerKey(FilterSpec spec) {
    return -Math.log(spec.falsePositiveRate()) / (LN_2 * LN_2);
  }

  /** Returns {@code (1 - e^(-kn/m))^k}. */
  double rate(long keys) {
    return Math.pow(-Math.expm1(-(double) probes * keys / bits), probes);
  }

  /** Returns {@code -m/k ln(1 - X/m)}. */
  long keys(long setBits) {
    return Math.round(-(double) bits / probes * Math.log1p(-(double) setBits / bits));
  }
}
