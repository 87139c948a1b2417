package io.bloomery.conformance.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.statistics.RateCell.Side;
import org.junit.jupiter.api.Test;

/** Checks what is claimed of a count, against the tails it follows from. */
class RateCellTest {

  private static RateCell cell(Side side, long hits) {
    RateSample sample = new RateSample("keys", 1_000, 1, 7, 9_600, 500_000, hits);
    double tail =
        side == Side.NOT_ABOVE
            ? Binomial.atLeast(hits, 500_000, 0.01)
            : Binomial.atMost(hits, 500_000, 0.01);
    return new RateCell(sample, side, 0.01, tail);
  }

  private static long firstRefused(Side side, int step) {
    long hits = 5_000;
    while (cell(side, hits).isWithin()) {
      hits += step;
    }
    return hits;
  }

  @Test
  void aRateAboveThatIsSeenIsSeenAlmostAlways() {
    double rate = cell(Side.NOT_ABOVE, 5_000).detectableRate();
    long first = firstRefused(Side.NOT_ABOVE, 1);
    assertEquals(1 - 1e-6, Binomial.atLeast(first, 500_000, rate), 1e-9);
    assertTrue(rate > 0.011 && rate < 0.012, () -> "detectable: " + rate);
  }

  @Test
  void aRateBelowThatIsSeenIsSeenAlmostAlways() {
    double rate = cell(Side.NOT_BELOW, 5_000).detectableRate();
    long last = firstRefused(Side.NOT_BELOW, -1);
    assertEquals(1 - 1e-6, Binomial.atMost(last, 500_000, rate), 1e-9);
    assertTrue(rate < 0.009 && rate > 0.008, () -> "detectable: " + rate);
  }

  @Test
  void fewTrialsTellNothing() {
    RateSample one = new RateSample("keys", 1, 1, 1, 64, 1, 1);
    assertEquals(1, new RateCell(one, Side.NOT_ABOVE, 0.5, 0.5).detectableRate());
    assertEquals(0, new RateCell(one, Side.NOT_BELOW, 0.5, 1).detectableRate());
  }

  @Test
  void theIntervalEndsWhereTheTailsAreHalfAMillionth() {
    RateSample sample = cell(Side.NOT_ABOVE, 5_000).sample();
    assertEquals(0.01, sample.rate());
    assertEquals(5e-7, Binomial.atLeast(5_000, 500_000, sample.lowest()), 1e-12);
    assertEquals(5e-7, Binomial.atMost(5_000, 500_000, sample.highest()), 1e-12);
    assertEquals(0, new RateSample("", 1, 1, 1, 64, 10, 0).lowest());
    assertEquals(1, new RateSample("", 1, 1, 1, 64, 10, 10).highest());
  }

  @Test
  void independentTrialsNeedNoAllowance() {
    assertEquals(0, RateBound.slack(new RateSample("", 10, 500, 7, 64, 500, 0)));
    assertEquals(0.0518, RateBound.slack(new RateSample("", 10_000, 100, 7, 64, 500, 0)), 1e-4);
    assertFalse(cell(Side.NOT_ABOVE, 6_000).isWithin());
  }
}
