package io.bloomery.cli.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Checks the probabilities of errors; those of the binomial distribution are tested with it. */
class ExactRateTest {

  @Test
  void withoutHitsOrWithHitsOnlyTheIntervalIsTheClosedForm() {
    ExactRate none = new ExactRate(0, 100_000);
    assertEquals(0, none.value());
    assertEquals(0, none.low());
    assertEquals(-Math.expm1(Math.log(0.5e-6) / 100_000), none.high(), 1e-12);
    ExactRate all = new ExactRate(500, 500);
    assertEquals(1, all.high());
    assertEquals(Math.pow(0.5e-6, 1.0 / 500), all.low(), 1e-9);
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
