package io.bloomery.conformance.statistics;

import java.io.Serializable;

/**
 * A number of hits among independent trials, and its judgement.
 *
 * @param sample the sample
 * @param side the side of the bound on which the rate must be
 * @param bound the bound that the rate must not exceed, or fall below
 * @param tail the probability of this number of hits, or a more extreme one, at the bound
 */
public record RateCell(RateSample sample, Side side, double bound, double tail)
    implements Serializable {

  /** The probability that one judgement fails a filter whose rate is just within the bound. */
  public static final double ALPHA = 1e-13;

  /** The probability that a rate that is claimed to be detectable is not detected. */
  private static final double MISSED = 1e-6;

  /** The side of a bound. */
  public enum Side {
    /** At the bound or below. */
    NOT_ABOVE,
    /** At the bound or above. */
    NOT_BELOW
  }

  /** Returns whether the number of hits is consistent with a rate within the bound. */
  public boolean isWithin() {
    return tail >= ALPHA;
  }

  /**
   * Returns the rate that is distinguished from the bound with a probability of at least 1 - 10^-6:
   * the lowest above it, or the highest below it. Nothing is claimed about rates between them.
   */
  public double detectableRate() {
    long trials = sample.trials();
    return side == Side.NOT_ABOVE
        ? Binomial.highest(Binomial.firstAbove(bound, trials, ALPHA) - 1, trials, MISSED)
        : Binomial.lowest(Binomial.lastBelow(bound, trials, ALPHA) + 1, trials, MISSED);
  }
}
