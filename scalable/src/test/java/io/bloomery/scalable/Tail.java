package io.bloomery.scalable;

import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;

/** Judges a count of hits by the exact tails of the binomial distribution. */
final class Tail {

  /** How likely a verdict is to fail what is just within the bound. */
  private static final double ALPHA = 1e-12;

  private Tail() {}

  /** Fails if so many hits or more are next to impossible at this rate. */
  static void notAbove(double rate, long hits, long trials) {
    judge(AlternativeHypothesis.GREATER_THAN, rate, hits, trials);
  }

  /** Fails if so few hits or fewer are next to impossible at this rate. */
  static void notBelow(double rate, long hits, long trials) {
    judge(AlternativeHypothesis.LESS_THAN, rate, hits, trials);
  }

  private static void judge(AlternativeHypothesis side, double rate, long hits, long trials) {
    double chance =
        new BinomialTest().binomialTest(Math.toIntExact(trials), Math.toIntExact(hits), rate, side);
    if (chance < ALPHA) {
      throw new AssertionError(
          "rate " + side + " " + rate + ": " + hits + " hits in " + trials + ", chance " + chance);
    }
  }
}
