package io.bloomery.cli.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Checks intervals and tests against closed forms and plain sums of binomial probabilities. */
class ExactRateTest {

  /** Returns the probability of at least {@code hits} of {@code trials} at {@code rate}. */
  private static double atLeast(int hits, int trials, double rate) {
    double sum = 0;
    double probability = Math.pow(1 - rate, trials);
    for (int i = 0; i <= trials; i++) {
      sum += i >= hits ? probability : 0;
      probability *= (trials - i) / (i + 1.0) * rate / (1 - rate);
    }
    return sum;
  }

  @Test
  void withoutHitsTheIntervalIsTheClosedForm() {
    ExactRate none = new ExactRate(0, 100_000);
    assertEquals(0, none.value());
    assertEquals(0, none.low());
    assertEquals(-Math.expm1(Math.log(0.5e-6) / 100_000), none.high(), 1e-12);
  }

  @Test
  void withHitsOnlyTheIntervalIsTheClosedForm() {
    ExactRate all = new ExactRate(500, 500);
    assertEquals(1, all.value());
    assertEquals(1, all.high());
    assertEquals(Math.pow(0.5e-6, 1.0 / 500), all.low(), 1e-9);
  }

  @Test
  void atEachEndOfTheIntervalTheTailIsHalfOfTheErrorAllowed() {
    ExactRate some = new ExactRate(17, 400);
    assertEquals(0.5e-6, atLeast(17, 400, some.low()), 1e-12);
    assertEquals(0.5e-6, 1 - atLeast(18, 400, some.high()), 1e-12);
    assertTrue(some.low() < some.value() && some.value() < some.high());
  }

  @Test
  void aRateIsAboveAnotherWhenTheTailFallsBelowTheErrorAllowed() {
    int hits = 0;
    while (atLeast(hits, 1000, 0.01) >= ExactRate.ALPHA) {
      hits++;
    }
    assertTrue(new ExactRate(hits, 1000).isAbove(0.01), hits + " of 1000");
    assertFalse(new ExactRate(hits - 1, 1000).isAbove(0.01), hits - 1 + " of 1000");
    assertFalse(new ExactRate(0, 1000).isAbove(0.01));
    assertEquals((hits - 1) / 1000.0, new ExactRate(3, 1000).bound(0.01));
  }

  @Test
  void theBoundIsTheHighestRateThatIsNotAbove() {
    for (int trials : new int[] {1, 2, 10, 999}) {
      for (double rate : new double[] {1e-9, 1e-6, 0.001, 0.3, 0.999}) {
        double bound = new ExactRate(0, trials).bound(rate);
        for (int hits = 0; hits <= trials; hits++) {
          ExactRate some = new ExactRate(hits, trials);
          assertEquals(some.value() > bound, some.isAbove(rate), some + " at " + rate);
        }
      }
    }
  }
}
