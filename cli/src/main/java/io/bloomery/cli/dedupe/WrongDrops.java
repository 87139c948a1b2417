package io.bloomery.cli.dedupe;

import io.bloomery.filter.FilterSpec;
import java.util.function.DoubleSupplier;

/**
 * Estimates the number of distinct lines that were dropped because the filter wrongly reported them
 * as seen before.
 *
 * <p>The lines themselves are not known, but their expected number is: while the rate is f, a new
 * line is dropped f times for every 1 - f times that it is printed, and a dropped line does not
 * change the filter. So f / (1 - f) lines are lost for each printed line, summed over the rates at
 * the time of each: far fewer than at the final rate, since a filter with half of its keys is
 * hardly ever wrong. The rate is sampled from the filter from time to time. Between two samples the
 * expected number uses their mean, which is a little too high, since rates rise ever faster; the
 * upper bound uses the higher of the two.
 *
 * <p>That rate does not include pairs of lines with equal 64-bit hashes, which no filter can
 * distinguish, so the lowest rate that can be guaranteed for this number of keys is added.
 */
final class WrongDrops {

  /**
   * The number of lines lost.
   *
   * @param expected the approximate expected number
   * @param atMost the upper bound, exceeded with a probability of at most {@link
   *     GeometricSum#DOUBT}
   */
  record Lost(double expected, long atMost) {}

  /**
   * A sample is taken when the keys have grown by one part in this many; the rate of a full
   * standard filter for a rate of 1e-8 or more rises by less than a third in between.
   */
  private static final int FRACTION = 64;

  private static final double UNKNOWN = -1;

  private final DoubleSupplier highestRate;
  private final long shortestStep;
  private final long longestStep;
  private final long mostRemembered;
  private final GeometricSum lost = new GeometricSum();
  private long printed;
  private long sampledAt;
  private long gaps; // already counted in lost: one before each printed line, one after the last
  private long nextSample;
  private double rateThen;
  private double expected;

  private WrongDrops(
      DoubleSupplier highestRate, long shortestStep, long longestStep, long mostRemembered) {
    this.highestRate = highestRate;
    this.shortestStep = Math.max(1, shortestStep);
    this.longestStep = Math.max(1, longestStep);
    this.mostRemembered = mostRemembered;
    this.nextSample = this.shortestStep;
  }

  /**
   * Returns an estimate for a filter made for {@code keys} lines, or starting with room for them.
   */
  static WrongDrops of(DoubleSupplier highestRate, long keys) {
    return new WrongDrops(highestRate, keys / FRACTION, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Returns an estimate for a window, whose rate rises and falls continually. */
  static WrongDrops ofWindow(DoubleSupplier highestRate, long window, long mostRemembered) {
    return new WrongDrops(highestRate, window / FRACTION, window / FRACTION, mostRemembered);
  }

  /**
   * Makes this an estimate for the further lines of what has lines: until the first sample, the
   * rate is taken to be that of it.
   */
  WrongDrops further() {
    rateThen = UNKNOWN;
    return this;
  }

  /** Records that a line was printed. */
  void linePrinted() {
    printed++;
    if (printed == nextSample) {
      sample(printed);
      nextSample = printed + Math.min(longestStep, Math.max(shortestStep, printed / FRACTION));
    }
  }

  private void sample(long gapsNow) {
    double equalHashes = FilterSpec.lowestRate(Math.min(printed, mostRemembered));
    double rate = Math.min(1, highestRate.getAsDouble() + equalHashes);
    if (rateThen == UNKNOWN) {
      rateThen = rate;
    }
    if (printed > sampledAt) {
      expected += (printed - sampledAt) * (odds(rateThen) + odds(rate)) / 2;
    }
    lost.add(odds(Math.max(rateThen, rate)), gapsNow - gaps);
    rateThen = rate;
    sampledAt = printed;
    gaps = gapsNow;
  }

  private static double odds(double rate) {
    return rate / (1 - rate);
  }

  long printed() {
    return printed;
  }

  /** Returns how many of {@code dropped} lines, all of those dropped so far, were new. */
  Lost among(long dropped) {
    // The lines lost after the last printed line belong to a gap that no printed line has closed
    // yet.
    if (gaps <= printed) {
      sample(printed + 1);
    }
    return new Lost(Math.min(expected, (double) dropped), Math.min(lost.atMost(), dropped));
  }
}
