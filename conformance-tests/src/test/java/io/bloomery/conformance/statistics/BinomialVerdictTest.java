package io.bloomery.conformance.statistics;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the tails with sums of single probabilities, and the verdicts with known limits. */
class BinomialVerdictTest {

  private static RateSample sample(String what, long hits, long trials) {
    return new RateSample(what, 1_000, 1, 7, 9_600, trials, hits);
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
