package io.bloomery.conformance.statistics;

/**
 * One count of hits among independent trials, and how it was judged.
 *
 * @param sample what was counted
 * @param side on which side of the bound the rate must lie
 * @param bound what the rate must not be above, or below
 * @param tail the probability of such a count, or one further off, at the bound
 */
public record RateCell(RateSample sample, Side side, double bound, double tail) {

  /** How likely one judgement is to fail a filter whose rate is just within the bound. */
  public static final double ALPHA = 1e-13;

  /** How likely a rate is to be missed that is said to be told from the bound. */
  private static final double MISSED = 1e-6;

  /** Where a rate must lie. */
  public enum Side {
    /** At the bound or below. */
    NOT_ABOVE,
    /** At the bound or above. */
    NOT_BELOW
  }

  /** Returns whether the count is one that a rate within the bound may give. */
  public boolean isWithin() {
    return tail >= ALPHA;
  }

  /**
   * Returns the rate that is told from the bound with a probability of at least 1 - 10^-6: the
   * lowest above it, or the highest below. Nothing between the two is claimed.
   */
  public double detectableRate() {
    long trials = sample.trials();
    return side == Side.NOT_ABOVE
        ? Binomial.highest(Binomial.firstAbove(bound, trials, ALPHA) - 1, trials, MISSED)
        : Binomial.lowest(Binomial.lastBelow(bound, trials, ALPHA) + 1, trials, MISSED);
  }
}
