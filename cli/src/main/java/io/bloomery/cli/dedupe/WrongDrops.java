package io.bloomery.cli.dedupe;

import io.bloomery.cli.input.SeenLines;
import io.bloomery.filter.FilterSpec;

/**
 * How many different lines were dropped because they seemed to have come before.
 *
 * <p>Which ones is not known, but how many to expect is: while the rate is f, a line that never
 * came is dropped f times for every 1 - f times that it is printed, and a dropped one changes
 * nothing. So f / (1 - f) are lost for each line that is printed, summed over the rates of those
 * moments: much less than the rate at the end, since a filter that is half full is hardly ever
 * wrong. The rate is taken from the filter now and then, and between two moments as their mean,
 * which is a little too high, since rates rise ever faster; what is certain takes the higher one.
 *
 * <p>That rate says nothing of two lines that have one 64-bit hash, for which all filters are
 * alike: so the lowest that can be promised for so many keys is added to it.
 */
final class WrongDrops {

  /**
   * Lines that were lost.
   *
   * @param expected how many to expect, about
   * @param atMost how many there were at most, but for the chance of {@link GeometricSum#DOUBT}
   */
  record Lost(double expected, long atMost) {}

  /** The rate of a standard filter rises by less than a third where its keys grow by this. */
  private static final int FRACTION = 64;

  private final SeenLines seen;
  private final long shortestStep;
  private final long longestStep;
  private final long mostRemembered;
  private final GeometricSum lost = new GeometricSum();
  private long printed;
  private long sampledAt;
  private long gaps; // in front of printed lines, and behind the last, for which lost has a rate
  private long nextSample;
  private double rateThen;
  private double expected;

  private WrongDrops(SeenLines seen, long shortestStep, long longestStep, long mostRemembered) {
    this.seen = seen;
    this.shortestStep = Math.max(1, shortestStep);
    this.longestStep = Math.max(1, longestStep);
    this.mostRemembered = mostRemembered;
    this.nextSample = this.shortestStep;
  }

  /** Watches a filter that is made, or begins, with room for so many lines. */
  static WrongDrops of(SeenLines seen, long keys) {
    return new WrongDrops(seen, keys / FRACTION, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Watches a filter whose rate rises and falls all the time. */
  static WrongDrops ofWindow(SeenLines seen, long window, long mostRemembered) {
    return new WrongDrops(seen, window / FRACTION, window / FRACTION, mostRemembered);
  }

  /** Notes that a line was printed. */
  void linePrinted() {
    printed++;
    if (printed == nextSample) {
      sample(printed);
      nextSample = printed + Math.min(longestStep, Math.max(shortestStep, printed / FRACTION));
    }
  }

  private void sample(long gapsNow) {
    double equalHashes = FilterSpec.lowestRate(Math.min(printed, mostRemembered));
    double rate = Math.min(1, seen.highestRate() + equalHashes);
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

  /** Returns how many of {@code dropped} lines, all up to now, should have been printed. */
  Lost among(long dropped) {
    // Those that were lost behind the last printed line would end with the next one.
    if (gaps <= printed) {
      sample(printed + 1);
    }
    return new Lost(Math.min(expected, (double) dropped), Math.min(lost.atMost(), dropped));
  }
}
