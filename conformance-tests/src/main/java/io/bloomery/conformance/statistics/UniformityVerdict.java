package io.bloomery.conformance.statistics;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.apache.commons.math3.special.Gamma;

/** Judges whether counts are spread evenly, by the tail of the chi-squared distribution. */
public final class UniformityVerdict {

  private final FalseAlarmBudget budget;

  /** Judges on the account of a budget. */
  public UniformityVerdict(FalseAlarmBudget budget) {
    this.budget = Objects.requireNonNull(budget, "budget");
  }

  /** Returns Pearson's statistic for counts that are all expected to be equal. */
  static double chiSquared(long[] counts) {
    double expected = (double) Arrays.stream(counts).sum() / counts.length;
    double sum = 0;
    for (long count : counts) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }

  /** Returns the probability of such a statistic or a larger one, if nothing is uneven. */
  static double tail(double chiSquared, int degreesOfFreedom) {
    return Gamma.regularizedGammaQ(degreesOfFreedom / 2.0, chiSquared / 2);
  }

  /**
   * Fails if counts are so uneven that independent, even choices are next to impossible.
   *
   * @param counts how often each of as many equal parts was hit, a hundred times or more on average
   * @throws AssertionError if they are
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
   * Fails if so many choices are equal that independent, even ones are next to impossible. That
   * sees choices from few, however far apart these lie.
   *
   * @param choices each from 0 to {@code count - 1}; sorted hereby
   * @throws AssertionError if they are
   */
  public void apart(long[] choices, double count, String what) {
    budget.spend(RateCell.ALPHA);
    Arrays.sort(choices);
    long pairs = 0;
    long equal = 0; // to the choice looked at, of those before
    for (int i = 1; i < choices.length; i++) {
      equal = choices[i] == choices[i - 1] ? equal + 1 : 0;
      pairs += equal;
    }
    double expected = (double) choices.length * (choices.length - 1) / 2 / count;
    // Pairs of few choices among many are a Poisson process.
    double tail = pairs == 0 ? 1 : Gamma.regularizedGammaP(pairs, expected);
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
