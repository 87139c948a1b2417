package io.bloomery.conformance.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;

/** Checks tails against plain sums of probabilities, and limits and intervals against tails. */
class BinomialTest {

  private static double sum(int from, int to, int trials, double rate) {
    double sum = 0;
    for (int hits = from; hits <= to; hits++) {
      sum +=
          CombinatoricsUtils.binomialCoefficientDouble(trials, hits)
              * Math.pow(rate, hits)
              * Math.pow(1 - rate, trials - hits);
    }
    return sum;
  }

  @Test
  void tailsAreTheSumsOfSingleProbabilities() {
    int trials = 40;
    for (double rate : new double[] {0.01, 0.3, 0.5, 0.97}) {
      for (int hits = 0; hits <= trials; hits++) {
        double above = sum(hits, trials, trials, rate);
        double below = sum(0, hits, trials, rate);
        assertEquals(above, Binomial.atLeast(hits, trials, rate), 1e-12 * above + 1e-300);
        assertEquals(below, Binomial.atMost(hits, trials, rate), 1e-12 * below + 1e-300);
      }
    }
  }

  @Test
  void ratesOfZeroAndOneLeaveNoDoubt() {
    assertEquals(0, Binomial.atLeast(1, 10, 0));
    assertEquals(1, Binomial.atLeast(0, 10, 0));
    assertEquals(1, Binomial.atLeast(10, 10, 1));
    assertEquals(0, Binomial.atMost(9, 10, 1));
    assertEquals(1, Binomial.atMost(10, 10, 1));
    assertEquals(1, Binomial.atMost(0, 10, 0));
  }

  @Test
  void farTailsKeepTheirDigits() {
    // One hit in a million trials at 1e-20: 1e-14, which 1 - P[none] would give as 9.99e-15.
    assertEquals(1e-14, Binomial.atLeast(1, 1_000_000, 1e-20), 1e-19);
  }

  @Test
  void theLimitIsTheOnePublished() {
    // 500,000 probes at a rate of 1.0277 %: of 5,649 hits the tail is below 1e-12 for the first
    // time.
    assertTrue(Binomial.atLeast(5_648, 500_000, 0.010277) > 1e-12);
    assertTrue(Binomial.atLeast(5_649, 500_000, 0.010277) < 1e-12);
  }

  @Test
  void limitsLieWhereTheTailPassesTheErrorAllowed() {
    for (long trials : new long[] {1, 2, 10, 999, 5_000_000_000L}) {
      for (double rate : new double[] {1e-9, 0.001, 0.3, 0.999}) {
        long above = Binomial.firstAbove(rate, trials, 1e-6);
        assertTrue(above > trials || Binomial.atLeast(above, trials, rate) < 1e-6);
        assertTrue(Binomial.atLeast(above - 1, trials, rate) >= 1e-6);
        long below = Binomial.lastBelow(rate, trials, 1e-6);
        assertTrue(below < 0 || Binomial.atMost(below, trials, rate) < 1e-6);
        assertTrue(Binomial.atMost(below + 1, trials, rate) >= 1e-6);
      }
    }
  }

  @Test
  void anIntervalEndsWhereTheTailsAreHalfOfTheErrorAllowed() {
    assertEquals(5e-7, Binomial.atLeast(17, 400, Binomial.lowest(17, 400, 5e-7)), 1e-12);
    assertEquals(5e-7, Binomial.atMost(17, 400, Binomial.highest(17, 400, 5e-7)), 1e-12);
    assertEquals(0, Binomial.lowest(0, 10, 5e-7));
    assertEquals(1, Binomial.highest(10, 10, 5e-7));
    assertEquals(-Math.expm1(Math.log(5e-7) / 100_000), Binomial.highest(0, 100_000, 5e-7), 1e-12);
  }
}
