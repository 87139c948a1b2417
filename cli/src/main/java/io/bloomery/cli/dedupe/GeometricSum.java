package io.bloomery.cli.dedupe;

import java.util.Arrays;

/**
 * A sum of counts of failures before a success, of which only the rates are known, and a bound that
 * it keeps but for a chance of one in a million.
 *
 * <p>For a count G with rate f and any s below -ln f, the mean of {@code e^(sG)} is {@code (1 - f)
 * / (1 - f e^s)}. So for each s the sum reaches {@code (L + ln(1/d)) / s} with a chance of d at
 * most, where L is the sum of the logarithms of those means (Chernoff's bound; by Ville's
 * inequality also if the rates depend on how earlier counts came out). Here that is done for a
 * ladder of s, which share the chance, and the lowest bound is taken. What hardly ever happens at
 * all is bounded by its mean as well: a count of at least one has no greater chance than that.
 */
final class GeometricSum {

  /** The chance that a sum is above its bound. */
  static final double DOUBT = 1e-6;

  private static final int STEPS = 60;
  private static final double[] LADDER = new double[STEPS];

  static {
    // From sums of 10^12 to single events, by the root of two.
    Arrays.setAll(LADDER, i -> Math.pow(2, i / 2.0 - 24));
  }

  private final double[] logarithms = new double[STEPS];
  private double mean;

  /** Adds so many counts whose odds, f / (1 - f), are at most these. */
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

  /** Returns what the sum is at most, but for {@link #DOUBT}. */
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
