package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;

/** Compares the tails with sums of single probabilities, and the verdicts with known limits. */
class BinomialVerdictTest {

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
        assertEquals(above, BinomialVerdict.atLeast(hits, trials, rate), 1e-12 * above + 1e-300);
        assertEquals(below, BinomialVerdict.atMost(hits, trials, rate), 1e-12 * below + 1e-300);
      }
    }
  }

  @Test
  void ratesOfZeroAndOneLeaveNoDoubt() {
    assertEquals(0, BinomialVerdict.atLeast(1, 10, 0));
    assertEquals(1, BinomialVerdict.atLeast(0, 10, 0));
    assertEquals(1, BinomialVerdict.atLeast(10, 10, 1));
    assertEquals(0, BinomialVerdict.atMost(9, 10, 1));
    assertEquals(1, BinomialVerdict.atMost(10, 10, 1));
    assertEquals(1, BinomialVerdict.atMost(0, 10, 0));
  }

  @Test
  void farTailsKeepTheirDigits() {
    // One hit in a million trials at 1e-20: 1e-14, which 1 - P[none] would give as 9.99e-15.
    assertEquals(1e-14, BinomialVerdict.atLeast(1, 1_000_000, 1e-20), 1e-19);
  }

  @Test
  void theLimitIsTheOnePublished() {
    // 500,000 probes at a rate of at most 1.0277 %: 5,649 hits are one too many.
    BinomialVerdict verdict = new BinomialVerdict(new FalseAlarmBudget());
    assertDoesNotThrow(() -> verdict.notAbove(0.010277, 5_648, 500_000, "rate"));
    AssertionError error =
        assertThrows(
            AssertionError.class, () -> verdict.notAbove(0.010277, 5_649, 500_000, "rate"));
    assertTrue(error.getMessage().contains("5649 hits in 500000 trials"), error::getMessage);
  }

  @Test
  void tooFewHitsAreRefusedToo() {
    BinomialVerdict verdict = new BinomialVerdict(new FalseAlarmBudget());
    assertDoesNotThrow(() -> verdict.notBelow(0.01, 4_600, 500_000, "rate"));
    assertThrows(AssertionError.class, () -> verdict.notBelow(0.01, 4_400, 500_000, "rate"));
    assertThrows(AssertionError.class, () -> verdict.notBelow(0.01, 0, 500_000, "rate"));
  }

  @Test
  void everyVerdictIsPaidFor() {
    FalseAlarmBudget budget = new FalseAlarmBudget();
    BinomialVerdict verdict = new BinomialVerdict(budget);
    verdict.notAbove(0.5, 1, 10, "one");
    verdict.notBelow(0.5, 9, 10, "two");
    assertEquals(2 * BinomialVerdict.ALPHA, budget.spent(), 1e-20);
  }

  @Test
  void aBudgetThatWouldBeExceededFails() {
    FalseAlarmBudget budget = new FalseAlarmBudget();
    budget.spend(0.9 * FalseAlarmBudget.LIMIT);
    assertThrows(IllegalStateException.class, () -> budget.spend(0.2 * FalseAlarmBudget.LIMIT));
    budget.spend(0.05 * FalseAlarmBudget.LIMIT);
    assertEquals(0.95 * FalseAlarmBudget.LIMIT, budget.spent(), 1e-20);
  }
}
