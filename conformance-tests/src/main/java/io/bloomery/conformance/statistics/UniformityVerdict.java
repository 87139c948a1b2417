package io.bloomery.conformance.statistics;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.apache.commons.math3.special.Gamma;

/** A test of whether counts are evenly distributed, by the tail of the chi-squared distribution. */
public final class UniformityVerdict {

  private final FalseAlarmBudget budget;

  /** Creates a test that spends a false-alarm budget. */
  public UniformityVerdict(FalseAlarmBudget budget) {
    this.budget = Objects.requireNonNull(budget, "budget");
  }

  /** Returns Pearson's statistic for counts whose expected values are equal. */
  static double chiSquared(long[] counts) {
    double expected = (double) Arrays.stream(counts).sum() / counts.length;
    double sum = 0;
    for (long count : counts) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }

  /** Returns the probability of a statistic at least as large, under uniformity. */
  static double tail(double chiSquared, int degreesOfFreedom) {
    return Gamma.regularizedGammaQ(degreesOfFreedom / 2.0, chiSquared / 2);
  }

  /**
   * Fails if counts are so uneven that independent uniform choices are practically impossible.
   *
   * @param counts the number of hits in each of several equal parts, at least a hundred on average
   * @throws AssertionError if so
   */
  public void even(long[] counts, String what) {
    budget.spend(RateCell.ALPHA);
    double chiSquared = chiSquared(counts);
    double tail = tail(chiSquared, counts.length - 1);
    if (tail < RateCell.ALPHA) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s: %d parts must be hit evenly, but were from %d to %d times; chi-squared is %.1f,"
                  + " which comes by chance with probability %.3g",
              what,
              counts.length,
              Arrays.stream(counts).min().orElseThrow(),
              Arrays.stream(counts).max().orElseThrow(),
              chiSquared,
              tail));
    }
  }

  /**
   * Fails if so many choices coincide that independent uniform choices are practically impossible.
   * This detects choices from a small set, even if it is widely spread.
   *
   * @param choices each from 0 to {@code count - 1}; sorted by this method
   * @throws AssertionError if so
   */
  public void apart(long[] choices, double count, String what) {
    budget.spend(RateCell.ALPHA);
    Arrays.sort(choices);
    long pairs = 0;
    long equal = 0; // the number of preceding choices equal to the current one
    for (int i = 1; i < choices.length; i++) {
      equal = choices[i] == choices[i - 1] ? equal + 1 : 0;
      pairs += equal;
    }
    double expected = (double) choices.length * (choices.length - 1) / 2 / count;
    // The number of coinciding pairs of few choices among many has a Poisson distribution.
    double tail = pairs == 0 ? 1 : Gamma.regularizedGammaP((double) pairs, expected);
    if (tail < RateCell.ALPHA) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s: of %d choices %d pairs are equal where %.3g are expected,"
                  + " which comes by chance with probability %.3g",
              what,
              choices.length,
              pairs,
              expected,
              tail));
    }
  }
}
