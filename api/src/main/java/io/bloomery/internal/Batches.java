package io.bloomery.internal;

import java.util.Objects;

/** Batch operations on ranges of hashes: their sizes, the order of queries, checks and messages. */
public final class Batches {
  // decisions.md#standard-and-partitioned-are-two-sources-of-one-loop

  /**
   * The number of hashes whose words are read ahead: enough for many overlapping cache misses, few
   * enough for the first-level cache.
   */
  public static final int SIZE = 64;

  /**
   * The words in 1 MiB, a common size of second-level caches. In larger tables a read costs more
   * than a mispredicted branch, in smaller ones less.
   */
  public static final int CACHED_WORDS = 1 << 17;

  /** The words in 16 MiB: of larger tables, no cache of a core has much. */
  public static final int FAR_WORDS = 1 << 21;

  // Enough hashes to predict whether most of the following ones are contained.
  private static final int SAMPLE = 16;

  private Batches() {}

  /** The queries of a filter, one after the other. */
  public interface Each {

    /**
     * Writes the indices of the hashes that might be contained to {@code hits}, from index {@code
     * found} on, and returns the next index. Reads all probes of a hash before those of the next.
     */
    int selectEach(long[] hashes, int from, int to, int[] hits, int found);
  }

  /** The queries of a filter whose probes of a hash are in different cache lines, in two orders. */
  public interface Queries extends Each {

    /**
     * Selects as {@link #selectEach} does, but reads a few probes of every hash, then more of those
     * that remain: within a round no read waits for the answer to another hash.
     */
    int selectInRounds(long[] hashes, int from, int to, int[] hits, int found);
  }

  /**
   * Queries a range of hashes as {@code FilterView.select} does, in batches: in rounds, which only
   * pay for hashes that are not contained, except after a batch of which more than three quarters
   * were.
   */
  public static int select(Queries queries, long[] hashes, int from, int to, int[] hits) {
    checkSelect(hashes, from, to, hits);
    int found = 0;
    boolean mostlyContained = false;
    int size = SAMPLE;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(size, to - i);
      int before = found;
      found =
          mostlyContained
              ? queries.selectEach(hashes, i, end, hits, found)
              : queries.selectInRounds(hashes, i, end, hits, found);
      mostlyContained = found - before > (end - i) / 4 * 3;
      size = SIZE;
    }
    return found;
  }

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
