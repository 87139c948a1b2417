package io.bloomery.spark;

import io.bloomery.filter.FilterStats;
import java.util.Optional;

/** The warning about a filter with more keys than expected. */
final class Overfull {

  private Overfull() {}

  static Optional<String> warning(FilterStats stats) {
    if (!stats.isOverfull()) {
      return Optional.empty();
    }
    String keys =
        stats.approximateKeys().isPresent()
            ? "about " + stats.approximateKeys().getAsLong()
            : "more than can be told";
    return Optional.of(
        "the filter must get at most "
            + stats.expectedKeys()
            + " different keys to keep its rate, but got "
            + keys
            + " and has a rate of "
            + stats.falsePositiveRate()
            + "; build it again for more, or with FilterRequest.ofAllKeys()");
  }
}
