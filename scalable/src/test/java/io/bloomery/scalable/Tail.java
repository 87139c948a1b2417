package io.bloomery.scalable;

import org.apache.commons.math3.special.Beta;

/** Judges a count of hits by the exact tails of the binomial distribution. */
final class Tail {

  /** How likely a verdict is to fail what is just within the bound. */
  private static final double ALPHA = 1e-12;

  private Tail() {}

  /** Fails if so many hits or more are next to impossible at this rate. */
  static void notAbove(double rate, long hits, long trials) {
    double chance = hits == 0 ? 1 : Beta.regularizedBeta(rate, (double) hits, trials - hits + 1.0);
    judge(chance, "above", rate, hits, trials);
  }

  /** Fails if so few hits or fewer are next to impossible at this rate. */
  static void notBelow(double rate, long hits, long trials) {
    double chance =
        hits == trials ? 1 : Beta.regularizedBeta(1 - rate, (double) (trials - hits), hits + 1.0);
    judge(chance, "below", rate, hits, trials);
  }

  private static void judge(double chance, String side, double rate, long hits, long trials) {
    if (chance < ALPHA) {
      throw new AssertionError(
          "rate " + side + " " + rate + ": " + hits + " hits in " + trials + ", chance " + chance);
    }
  }
}
