package io.bloomery.cli.dedupe;

import io.bloomery.cli.input.SeenLines;
import io.bloomery.filter.FilterStats;
import io.bloomery.window.SlidingFilter;
import java.util.function.LongPredicate;

/** Remembers the most recent lines in a window whose rate rises until it forgets a generation. */
final class WindowOfLines implements SeenLines {

  private final SlidingFilter window;
  private final LongPredicate put;
  private long forgotten;
  private double highestRate;
  private boolean isOverfull;

  /**
   * Creates an empty instance.
   *
   * @param put one of the puts of the window
   */
  WindowOfLines(SlidingFilter window, LongPredicate put) {
    this.window = window;
    this.put = put;
  }

  @Override
  public boolean put(long hash) {
    boolean isNew = put.test(hash);
    noteForgetting();
    return isNew;
  }

  private void noteForgetting() {
    if (window.forgottenGenerations() != forgotten) {
      forgotten = window.forgottenGenerations();
      note(window.statsBeforeForgetting());
    }
  }

  private void note(FilterStats stats) {
    highestRate = Math.max(highestRate, stats.falsePositiveRate());
    // A window of a number of lines never holds more than it is made for, whatever the estimate.
    isOverfull |= window.time().isPresent() && stats.isOverfull();
  }

  @Override
  public double highestRate() {
    note(window.stats());
    noteForgetting();
    double highest = highestRate;
    highestRate = 0;
    return highest;
  }

  @Override
  public boolean isOverfull() {
    return isOverfull;
  }
}
