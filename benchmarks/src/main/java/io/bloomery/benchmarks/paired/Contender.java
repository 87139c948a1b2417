package io.bloomery.benchmarks.paired;

import java.io.IOException;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * One implementation in a contest.
 *
 * <p>Keys come as arrays, {@code long[]}, {@code String[]} or {@code byte[][]}, so that the loop
 * over them is compiled with the implementation and for it alone.
 */
public interface Contender {

  /** Makes an empty filter for so many keys, and forgets the one before. */
  void create(long keys, double rate);

  /**
   * Makes filters of another variant from now on, in the same loops.
   *
   * @return whether it can
   */
  default boolean become(String variant) {
    return false;
  }

  /** Returns what the filter can do. */
  Set<Action> actions();

  /** Returns what can be done with the filter as a whole. */
  default Set<Whole> wholes() {
    return EnumSet.noneOf(Whole.class);
  }

  /**
   * Does one thing with keys {@code from} to {@code to - 1} of an array.
   *
   * @return how many were said to be contained, where the library says so
   */
  int run(Action action, Object keys, int from, int to);

  /** Makes ready for one {@link #whole}: a second filter to merge, or bytes to open. */
  default void prepare(Whole whole) throws IOException {}

  /** Does one thing with the whole filter; asked only for what {@link #wholes} returns. */
  default void whole(Whole whole) throws IOException {
    throw new UnsupportedOperationException(whole.label());
  }

  /** Returns the rate that the filter is planned to have with so many keys, if it says. */
  default OptionalDouble plannedRate(long keys) {
    return OptionalDouble.empty();
  }

  /** Returns how many bits the filter takes. */
  long sizeInBits();
}
