package io.bloomery.cli.dedupe;

import java.util.Arrays;

/**
 * A sum of geometric counts (failures before a success) of which only the rates are known, and an
 * upper bound that the sum exceeds with a probability of at most one in a million.
 *
 * <p>For a count G with rate f and any s below -ln f, the mean of {@code e^(sG)} is {@code (1 - f)
 * / (1 - f e^s)}. So for each s the sum reaches {@code (L + ln(1/d)) / s} with a probability of at
 * most d, where L is the sum of the logarithms of those means (Chernoff's bound; by Ville's
 * inequality also if the rates depend on earlier counts). This class uses a ladder of values of s,
 * which share the probability, and takes the lowest bound. A sum with a very small mean is also
 * bounded by that mean, since the probability of a count of at least one is not greater than it.
 */
final class GeometricSum {
  // decisions.md#what-dedupe-may-have-lost-is-stated-as-a-bound-with-the-chance-that-it-is-wrong

  /** The probability that a sum is above its bound. */
  static final double DOUBT = 1e-6;

  private static final int STEPS = 60;
  private static final double[] LADDER = new double[STEPS];

  static {
    // From sums of 10^12 to single events, in steps of the square root of two.
    Arrays.setAll(LADDER, i -> Math.pow(2, i / 2.0 - 24));
  }

  private final double[] logarithms = new double[STEPS];
  private double mean;

  /** Adds {@code counts} counts whose odds, f / (1 - f), are at most {@code odds}. */
  void add(double odds, long counts) {
    if (odds == 0 || counts == 0) {
      return;
    }
    mean += counts * odds;
    for (int i = 0; i < STEPS; i++) {
      double reduction = odds * Math.expm1(LADDER[i]);
      logarithms[i] += reduction < 1 ? -counts * Math.log1p(-reduction) : Double.POSITIVE_INFINITY;
    }
  }

  /**
   * Returns the upper bound, which the sum exceeds with a probability of at most {@link #DOUBT}.
   */
  long atMost() {
    if (mean <= DOUBT / 2) {
      return 0;
    }
    double reached = Double.POSITIVE_INFINITY;
    for (int i = 0; i < STEPS; i++) {
      reached = Math.min(reached, (logarithms[i] + Math.log(2 * STEPS / DOUBT)) / LADDER[i]);
    }
    return (long) Math.ceil(reached) - 1;
  }
}
