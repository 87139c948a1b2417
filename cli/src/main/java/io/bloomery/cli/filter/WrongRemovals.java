package io.bloomery.cli.filter;

import java.util.function.DoubleSupplier;

/**
 * How many lines of an input probably took counts away from other keys when they were removed, as
 * they were never put but seemed to be there.
 *
 * <p>Which ones is not known, but lines that are certainly absent tell how many to expect: of lines
 * that were never put, p seem to be there for every 1 - p that do not, while the rate of the filter
 * is p. So it is p / (1 - p) for each absent one, at the rate of that moment, which is asked for
 * when the first of them comes, and again when removing has lowered it.
 */
final class WrongRemovals {

  /** The rate falls by less than a third while this part of the keys is removed. */
  private static final int FRACTION = 64;

  private final DoubleSupplier rate;
  private final long step;
  private long removedSince;
  private double oddsThen;
  private double expected;

  /** Begins with a filter that is made for so many keys and has this rate whenever it is asked. */
  WrongRemovals(DoubleSupplier rate, long keys) {
    this.rate = rate;
    this.step = Math.max(1, keys / FRACTION);
    this.removedSince = step; // no rate is known yet
  }

  /** Notes that a line was there, or seemed to be, and was removed. */
  void lineRemoved() {
    removedSince++;
  }

  /** Notes that a line was not there. */
  void lineAbsent() {
    if (removedSince >= step) {
      double p = rate.getAsDouble();
      oddsThen = p / (1 - p);
      removedSince = 0;
    }
    expected += oddsThen;
  }

  /** Returns how many to expect. */
  double expected() {
    return expected;
  }
}
