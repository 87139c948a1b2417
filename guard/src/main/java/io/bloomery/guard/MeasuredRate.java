package io.bloomery.guard;

/**
 * A measured false-positive rate: a number of distinct keys that the source did not have, and the
 * number of them that passed the filter.
 *
 * <p>The interval is Wilson's score interval for a confidence of 99 %.
 */
public final class MeasuredRate {

  // The 99.5 % quantile of the normal distribution: two-sided 99 %.
  private static final double QUANTILE = 2.5758293035489004;

  private final long keys;
  private final long falsePositives;

  MeasuredRate(long keys, long falsePositives) {
    this.keys = keys;
    this.falsePositives = falsePositives;
  }

  /** Returns the number of distinct absent keys in the sample, 1 to about 16,000. */
  public long keys() {
    return keys;
  }

  /** Returns the number of these keys that passed the filter. */
  public long falsePositives() {
    return falsePositives;
  }

  /** Returns the rate. */
  public double rate() {
    return (double) falsePositives / keys;
  }

  /** Returns the lower end of the interval. */
  public double low() {
    return Math.max(0, centre() - halfWidth());
  }

  /** Returns the upper end of the interval. */
  public double high() {
    return Math.min(1, centre() + halfWidth());
  }

  private double centre() {
    return (falsePositives + QUANTILE * QUANTILE / 2) / (keys + QUANTILE * QUANTILE);
  }

  private double halfWidth() {
    double variance = rate() * (1 - rate()) * keys + QUANTILE * QUANTILE / 4;
    return QUANTILE * Math.sqrt(variance) / (keys + QUANTILE * QUANTILE);
  }

  @Override
  public String toString() {
    return rate() + " (" + low() + " to " + high() + ", of " + keys + " absent keys)";
  }
}
