package io.bloomery.conformance.statistics;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;

/** Compares the tails with sums of single probabilities, and the verdicts with known limits. */
class BinomialVerdictTest {

  private static RateSample sample(String what, long hits, long trials) {
    return new RateSample(what, 1_000, 1, 7, 9_600, trials, hits);
  }

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
    // 500,000 probes at a rate of 1.0277 %: of 5,649 hits the tail is below 1e-12 for the first
    // time.
    assertTrue(BinomialVerdict.atLeast(5_648, 500_000, 0.010277) > 1e-12);
    assertTrue(BinomialVerdict.atLeast(5_649, 500_000, 0.010277) < 1e-12);
  }

  @Test
  void tooManyHitsAreRefused() {
    BinomialVerdict verdict = new BinomialVerdict(new FalseAlarmBudget(), cell -> {});
    assertDoesNotThrow(() -> verdict.notAbove(0.01, sample("rate", 5_400, 500_000)));
    AssertionError error =
        assertThrows(
            AssertionError.class, () -> verdict.notAbove(0.01, sample("rate", 5_600, 500_000)));
    assertTrue(error.getMessage().contains("5600 hits in 500000 trials"), error::getMessage);
  }

  @Test
  void tooFewHitsAreRefusedToo() {
    BinomialVerdict verdict = new BinomialVerdict(new FalseAlarmBudget(), cell -> {});
    assertDoesNotThrow(() -> verdict.notBelow(0.01, sample("rate", 4_600, 500_000)));
    assertThrows(
        AssertionError.class, () -> verdict.notBelow(0.01, sample("rate", 4_400, 500_000)));
    assertThrows(AssertionError.class, () -> verdict.notBelow(0.01, sample("rate", 0, 500_000)));
  }

  @Test
  void everyVerdictIsPaidFor() {
    FalseAlarmBudget budget = new FalseAlarmBudget();
    List<RateCell> cells = new ArrayList<>();
    BinomialVerdict verdict = new BinomialVerdict(budget, cells::add);
    verdict.notAbove(0.5, sample("one", 1, 10));
    verdict.notBelow(0.5, sample("two", 9, 10));
    assertEquals(2 * RateCell.ALPHA, budget.spent(), 1e-20);
    assertEquals(List.of("one", "two"), cells.stream().map(cell -> cell.sample().what()).toList());
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
