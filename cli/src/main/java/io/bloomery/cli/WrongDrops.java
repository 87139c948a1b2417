package io.bloomery.cli;

/**
 * How many different lines were probably dropped because they seemed to have come before.
 *
 * <p>Which ones is not known, but how many to expect is: while the rate is f, a line that never
 * came is dropped f times for every 1 - f times that it is printed, and a dropped one changes
 * nothing. So f / (1 - f) are lost for each line that is printed, summed over the rates of those
 * moments: much less than the rate at the end, since a filter that is half full is hardly ever
 * wrong. The rate is taken from the filter now and then, and between two moments as their mean,
 * which is a little too high, since rates rise ever faster.
 */
final class WrongDrops {

  /** The rate of a standard filter rises by less than a third where its keys grow by this. */
  private static final int FRACTION = 64;

  private final SeenLines seen;
  private final long shortestStep;
  private final long longestStep;
  private long printed;
  private long sampledAt;
  private long nextSample;
  private double lostPerLine;
  private double lost;

  private WrongDrops(SeenLines seen, long shortestStep, long longestStep) {
    this.seen = seen;
    this.shortestStep = Math.max(1, shortestStep);
    this.longestStep = Math.max(1, longestStep);
    this.nextSample = this.shortestStep;
  }

  /** Watches a filter that is made, or begins, with room for so many lines. */
  static WrongDrops of(SeenLines seen, long keys) {
    return new WrongDrops(seen, keys / FRACTION, Long.MAX_VALUE);
  }

  /** Watches a filter whose rate rises and falls all the time. */
  static WrongDrops ofWindow(SeenLines seen, long window) {
    return new WrongDrops(seen, window / FRACTION, window / FRACTION);
  }

  /** Notes that a line was printed. */
  void linePrinted() {
    printed++;
    if (printed == nextSample) {
      sample();
      nextSample = printed + Math.min(longestStep, Math.max(shortestStep, printed / FRACTION));
    }
  }

  private void sample() {
    double rate = seen.rate();
    double lostPerLineNow = rate / (1 - rate);
    lost += (printed - sampledAt) * (lostPerLine + lostPerLineNow) / 2;
    lostPerLine = lostPerLineNow;
    sampledAt = printed;
  }

  long printed() {
    return printed;
  }

  /** Returns how many lines to expect among {@code dropped} ones that should have been printed. */
  double among(long dropped) {
    if (printed > sampledAt) {
      sample();
    }
    return Math.min(lost, (double) dropped);
  }
}
