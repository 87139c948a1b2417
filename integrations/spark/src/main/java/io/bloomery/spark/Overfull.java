package io.bloomery.spark;

import io.bloomery.filter.FilterStats;
import java.util.Optional;

/** What is wrong with a filter with more keys than expected, and how many to expect instead. */
final class Overfull {

  private Overfull() {}

  /**
   * Returns a warning, if there is one.
   *
   * @param keys the number of keys that were put, each as often as it came
   */
  static Optional<String> warning(FilterStats stats, long keys) {
    return problem(stats, keys)
        .map(
            problem -> problem + "; build it again for as many, or with FilterRequest.ofAllKeys()");
  }

  /**
   * Rejects a filter whose receiver gets nothing but its bytes, and so would not be told.
   *
   * @throws IllegalArgumentException if it has more keys than expected
   */
  static void refuse(FilterStats stats, long keys) {
    problem(stats, keys)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(
                  problem
                      + "; expect as many, or keep the filter as it is, by the option"
                      + " 'overfull=keep' of bloomery_agg or by FilterRequest.keepOverfull()");
            });
  }

  private static Optional<String> problem(FilterStats stats, long keys) {
    if (!stats.isOverfull()) {
      return Optional.empty();
    }
    String got =
        stats.approximateKeys().isPresent()
            ? "about " + Math.min(keys, stats.approximateKeys().getAsLong())
            : "too many to tell them apart, at most the " + keys + " of its rows,";
    return Optional.of(
        "the filter must get at most "
            + stats.expectedKeys()
            + " different keys to keep its rate, but got "
            + got
            + " and has a rate of "
            + stats.falsePositiveRate());
  }
}
