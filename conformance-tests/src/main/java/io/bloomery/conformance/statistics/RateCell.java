package io.bloomery.conformance.statistics;

import org.apache.commons.math3.distribution.BetaDistribution;

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

  private static final double POWER = 1 - 1e-6;

  /** How far the ends of intervals may be off: far less than the lowest rate measured. */
  private static final double ACCURACY = 1e-12;

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
    if (side == Side.NOT_ABOVE) {
      long first = minAbove();
      return first > trials ? 1 : quantile((double) first, trials - first + 1.0, POWER);
    }
    long last = maxBelow();
    return last < 0 ? 0 : quantile(last + 1.0, (double) trials - last, 1 - POWER);
  }

  /** Returns the smallest number of hits that is too many. */
  private long minAbove() {
    long within = 0;
    long above = sample.trials() + 1;
    while (above - within > 1) {
      long middle = (within + above) >>> 1;
      if (BinomialVerdict.atLeast(middle, sample.trials(), bound) < ALPHA) {
        above = middle;
      } else {
        within = middle;
      }
    }
    return above;
  }

  /** Returns the most hits that are too few, or -1 if even none is enough. */
  private long maxBelow() {
    long below = -1;
    long within = sample.trials();
    while (within - below > 1) {
      long middle = (within + below) >>> 1;
      if (BinomialVerdict.atMost(middle, sample.trials(), bound) < ALPHA) {
        below = middle;
      } else {
        within = middle;
      }
    }
    return below;
  }

  static double quantile(double alpha, double beta, double probability) {
    return new BetaDistribution(null, alpha, beta, ACCURACY)
        .inverseCumulativeProbability(probability);
  }
}
