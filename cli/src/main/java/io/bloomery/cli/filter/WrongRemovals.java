package io.bloomery.cli.filter;

import java.util.function.DoubleSupplier;

/**
 * Estimates how many lines of an input probably took counts away from other keys when they were
 * removed, because they were never put but seemed to be there.
 *
 * <p>The lines themselves are not known, but certainly absent lines show how many to expect: of the
 * lines that were never put, p seem to be there for every 1 - p that do not, where p is the rate of
 * the filter. So it is p / (1 - p) for each absent line, at the rate of that moment. The rate is
 * read when the first absent line comes, and again after removals have lowered it.
 */
final class WrongRemovals {
  // decisions.md#remove-warns-of-what-it-cannot-see-by-what-it-can

  /**
   * The rate is read again after one part in this many of the expected keys has been removed; in a
   * full filter for a rate of 1e-8 or more it falls by less than a third in between.
   */
  private static final int FRACTION = 64;

  private final DoubleSupplier rate;
  private final long step;
  private long removedSince;
  private double oddsThen;
  private double expected;

  /**
   * Creates an estimate for a filter made for {@code keys} keys, whose current rate {@code rate}
   * returns.
   */
  WrongRemovals(DoubleSupplier rate, long keys) {
    this.rate = rate;
    this.step = Math.max(1, keys / FRACTION);
    this.removedSince = step; // no rate is known yet
  }

  /** Records that a line was there, or seemed to be, and was removed. */
  void lineRemoved() {
    removedSince++;
  }

  /** Records that a line was absent. */
  void lineAbsent() {
    if (removedSince >= step) {
      double p = rate.getAsDouble();
      oddsThen = p / (1 - p);
      removedSince = 0;
    }
    expected += oddsThen;
  }

  /** Returns the expected number of such lines. */
  double expected() {
    return expected;
  }
}
