package io.bloomery.guard;

/**
 * A false-positive rate as it was measured: of so many different keys that the source did not have,
 * the filter let so many through.
 *
 * <p>The interval is Wilson's score interval, which 99 of 100 such samples have the true rate in.
 */
public final class MeasuredRate {

  // Of the normal distribution, for 99 in 100.
  private static final double QUANTILE = 2.5758293035489004;

  private final long keys;
  private final long falsePositives;

  MeasuredRate(long keys, long falsePositives) {
    this.keys = keys;
    this.falsePositives = falsePositives;
  }

  /** Returns how many different absent keys were seen, at most some 16,000: a sample of more. */
  public long keys() {
    return keys;
  }

  /** Returns how many of these the filter let through. */
  public long falsePositives() {
    return falsePositives;
  }

  /** Returns the rate: 0 if no key was seen. */
  public double rate() {
    return keys == 0 ? 0 : (double) falsePositives / keys;
  }

  /** Returns the lower end of the interval: 0 if no key was seen. */
  public double low() {
    return keys == 0 ? 0 : Math.max(0, centre() - halfWidth());
  }

  /** Returns the upper end of the interval: 1 if no key was seen. */
  public double high() {
    return keys == 0 ? 1 : Math.min(1, centre() + halfWidth());
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
