package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;
import org.apache.commons.math3.stat.inference.ChiSquareTest;

/** Exact bounds for counts: each check raises a false alarm once in 10^12 runs with fresh seeds. */
final class Tails {

  private static final double ALPHA = 1e-12;

  private Tails() {}

  /** Checks that so many hits of so many independent trials agree with a rate, on both sides. */
  static void assertBinomial(long hits, long trials, double rate, String what) {
    BinomialTest test = new BinomialTest();
    int all = Math.toIntExact(trials);
    int some = Math.toIntExact(hits);
    double orMore = test.binomialTest(all, some, rate, AlternativeHypothesis.GREATER_THAN);
    double orFewer = test.binomialTest(all, some, rate, AlternativeHypothesis.LESS_THAN);
    assertTrue(
        Math.min(orMore, orFewer) >= ALPHA / 2,
        () ->
            what
                + ": "
                + hits
                + " of "
                + trials
                + " is "
                + (double) hits / trials
                + ", but the rate must be "
                + rate);
  }

  /** Checks that counts agree with an even spread. */
  static void assertEven(long[] counts, String what) {
    double expected = 0;
    for (long count : counts) {
      expected += (double) count / counts.length;
    }
    double sum = 0;
    for (long count : counts) {
      sum += (count - expected) * (count - expected) / expected;
    }
    assertChiSquare(sum, counts.length - 1, what + " must be even");
  }

  /** Checks that rows of counts differ from each other by chance only. */
  static void assertIndependent(long[][] counts, String what) {
    int freedom = (counts.length - 1) * (counts[0].length - 1);
    assertChiSquare(new ChiSquareTest().chiSquare(counts), freedom, what + " must be independent");
  }

  private static void assertChiSquare(double chiSquare, int freedom, String what) {
    double bound = new ChiSquaredDistribution(freedom).inverseCumulativeProbability(1 - ALPHA);
    assertTrue(
        chiSquare <= bound, () -> what + ", but chi-square is " + chiSquare + ", above " + bound);
  }
}
