package io.bloomery.cli.input;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;

/** What is remembered of the lines that came, by their hashes. */
public interface SeenLines {

  /**
   * Takes in a line.
   *
   * @return true if it was certainly not remembered, false if it was, or seemed so
   * @throws FilterFullException if there is no room
   */
  boolean put(long hash);

  /**
   * Returns how likely a line that never came is taken for one that did: the highest that has been
   * since this was last asked.
   */
  double highestRate();

  /** Returns whether more came than it is made for, as far as that was found so far. */
  default boolean isOverfull() {
    return false;
  }

  /** Remembers all lines in one filter. */
  static SeenLines in(Filter filter) {
    return new SeenLines() {
      @Override
      public boolean put(long hash) {
        return filter.put(hash);
      }

      @Override
      public double highestRate() {
        // It only rises.
        return filter.stats().falsePositiveRate();
      }
    };
  }
}
