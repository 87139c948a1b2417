package io.bloomery.conformance.statistics;

import io.bloomery.conformance.statistics.RateCell.Side;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A test of the number of hits among independent trials, by the exact tail of the binomial
 * distribution.
 */
public final class BinomialVerdict {

  private final FalseAlarmBudget budget;
  private final Consumer<RateCell> record;
  private final double alpha;

  /**
   * Creates a test that spends a false-alarm budget and records every judgement before it throws.
   */
  public BinomialVerdict(FalseAlarmBudget budget, Consumer<RateCell> record) {
    this(budget, record, RateCell.ALPHA);
  }

  /**
   * Creates a test with a different probability of failing a filter whose rate is just within the
   * bound.
   */
  public BinomialVerdict(FalseAlarmBudget budget, Consumer<RateCell> record, double alpha) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.record = Objects.requireNonNull(record, "record");
    this.alpha = alpha;
  }

  /**
   * Fails if this many hits are practically impossible at a rate of {@code bound} or less.
   *
   * @throws AssertionError if so
   */
  public void notAbove(double bound, RateSample sample) {
    judge(Side.NOT_ABOVE, bound, sample, Binomial.atLeast(sample.hits(), sample.trials(), bound));
  }

  /**
   * Fails if this few hits are practically impossible at a rate of {@code bound} or more.
   *
   * @throws AssertionError if so
   */
  public void notBelow(double bound, RateSample sample) {
    judge(Side.NOT_BELOW, bound, sample, Binomial.atMost(sample.hits(), sample.trials(), bound));
  }

  private void judge(Side side, double bound, RateSample sample, double tail) {
    budget.spend(RateCell.ALPHA);
    RateCell cell = new RateCell(sample, side, bound, tail);
    record.accept(cell);
    if (tail < alpha) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s: the rate must not be %s %.4g, but %d hits in %d trials are %.4g;"
                  + " that comes by chance with probability %.3g",
              sample.what(),
              side == Side.NOT_ABOVE ? "above" : "below",
              bound,
              sample.hits(),
              sample.trials(),
              sample.rate(),
              tail));
    }
  }
}
