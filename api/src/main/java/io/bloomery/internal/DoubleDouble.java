package io.bloomery.internal;

/**
 * A number with twice the digits of a {@code double}, for sums whose terms nearly cancel: the sum
 * of two doubles of which the second is at most half a unit in the last place of the first (T. J.
 * Dekker, 1971, <a href="https://doi.org/10.1007/BF01397083">doi.org/10.1007/BF01397083</a>).
 */
record DoubleDouble(double high, double low) {

  private static final double SPLIT = (1 << 27) + 1;

  static DoubleDouble of(long number) {
    double high = number;
    return new DoubleDouble(high, number - (long) high);
  }

  DoubleDouble plus(DoubleDouble other) {
    double sum = high + other.high;
    double mine = sum - other.high;
    double error = (high - mine) + (other.high - (sum - mine));
    return normal(sum, error + (low + other.low));
  }

  DoubleDouble times(DoubleDouble other) {
    double product = high * other.high;
    double error = error(high, other.high, product);
    return normal(product, error + (high * other.low + low * other.high));
  }

  /** Divides by a number below 2^53. */
  DoubleDouble dividedBy(double divisor) {
    double quotient = high / divisor;
    double product = quotient * divisor;
    double rest = high - product - error(quotient, divisor, product) + low;
    return normal(quotient, rest / divisor);
  }

  double toDouble() {
    return high;
  }

  /**
   * Returns what a product has lost by rounding. Not by {@code fma}, which is slow where it is
   * emulated.
   */
  private static double error(double a, double b, double product) {
    double a1 = upper(a);
    double b1 = upper(b);
    double a2 = a - a1;
    double b2 = b - b1;
    return a1 * b1 - product + a1 * b2 + a2 * b1 + a2 * b2;
  }

  private static double upper(double number) {
    double scaled = SPLIT * number;
    return scaled - (scaled - number);
  }

  private static DoubleDouble normal(double high, double low) {
    double sum = high + low;
    return new DoubleDouble(sum, low - (sum - high));
  }
}
