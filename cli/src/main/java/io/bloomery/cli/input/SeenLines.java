package io.bloomery.cli.input;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;

/** Remembers lines by their hashes. */
public interface SeenLines {

  /**
   * Adds a line.
   *
   * @return true if it was certainly not remembered, false if it was or seemed to be
   * @throws FilterFullException if there is no room
   */
  boolean put(long hash);

  /**
   * Returns the probability that a new line is reported as seen: the highest since the last call.
   */
  double highestRate();

  /** Returns whether more lines were found so far than this is made for. */
  default boolean isOverfull() {
    return false;
  }

  /** Returns an instance that remembers all lines in one filter. */
  static SeenLines in(Filter filter) {
    return new SeenLines() {
      @Override
      public boolean put(long hash) {
        return filter.put(hash);
      }

      @Override
      public double highestRate() {
        // The rate never falls.
        return filter.stats().falsePositiveRate();
      }
    };
  }
}
