package io.bloomery.benchmarks.paired;

import java.io.IOException;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * An implementation in a contest.
 *
 * <p>Keys are passed as arrays, {@code long[]} or {@code String[]}, so that the loop over them is
 * compiled together with the implementation, and separately for each.
 */
public interface Contender {

  /** Creates an empty filter for a number of keys, and discards the previous one. */
  void create(long keys, double rate);

  /** Returns the supported operations on keys. */
  Set<Action> actions();

  /** Returns the supported operations on whole filters. */
  default Set<FilterOperation> filterOperations() {
    return EnumSet.noneOf(FilterOperation.class);
  }

  /**
   * Performs one operation with keys {@code from} to {@code to - 1} of an array.
   *
   * @return the number of keys reported as contained, if the library reports it
   */
  int run(Action action, Object keys, int from, int to);

  /** Prepares for one {@link #run(FilterOperation)}: a second filter to merge, or bytes to open. */
  default void prepare(FilterOperation operation) throws IOException {}

  /**
   * Performs one operation on the whole filter; called only for those that {@link
   * #filterOperations} returns.
   */
  default void run(FilterOperation operation) throws IOException {
    throw new UnsupportedOperationException(operation.label());
  }

  /** Returns the planned rate of the filter with a number of keys, if it is available. */
  default OptionalDouble plannedRate(long keys) {
    return OptionalDouble.empty();
  }

  /** Returns the size of the filter in bits. */
  long sizeInBits();
}
