package io.bloomery.internal;

import java.util.Objects;

/** Checks and messages of batch operations on ranges of hashes. */
public final class Batches {

  private Batches() {}

  /**
   * Checks the arguments of {@code FilterView.select}.
   *
   * @throws IndexOutOfBoundsException if the range is not within {@code hashes}
   * @throws IllegalArgumentException if {@code hits} has no room for the whole range
   */
  public static void checkSelect(long[] hashes, int from, int to, int[] hits) {
    Objects.checkFromToIndex(from, to, hashes.length);
    if (hits.length < to - from) {
      throw new IllegalArgumentException(
          "hits must have room for all " + (to - from) + " hashes, but has " + hits.length);
    }
  }

  /**
   * Returns a message about a batch that a full filter rejected, with the number of hashes added.
   */
  public static String full(int done, int all, RuntimeException reason) {
    return "the first " + done + " of " + all + " are in, none after: " + reason.getMessage();
  }
}
