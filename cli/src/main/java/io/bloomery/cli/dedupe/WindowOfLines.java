package io.bloomery.cli.dedupe;

import io.bloomery.cli.input.SeenLines;
import io.bloomery.filter.FilterStats;
import io.bloomery.window.SlidingFilter;

/** Remembers the most recent lines in a window whose rate rises until it forgets a generation. */
final class WindowOfLines implements SeenLines {

  private final SlidingFilter window;
  private long forgotten;
  private double highestRate;
  private boolean isOverfull;

  WindowOfLines(SlidingFilter window) {
    this.window = window;
  }

  @Override
  public boolean put(long hash) {
    boolean isNew = window.put(hash);
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
