package io.bloomery.cli.sizing;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Recommends a set that is exact, or nearly so, where it is better than any filter. */
public final class ExactSet {

  /**
   * The size of a HashSet per key of twenty letters on a 64-bit JVM: 32 bytes for the entry, 24 for
   * the String, 40 for its bytes and about 8 for the table.
   */
  private static final long SET_BYTES = 104;

  /**
   * The size of a core's second-level cache: in it a set is as fast as a filter, and no memory of
   * this size is scarce.
   */
  private static final long SMALL = 1 << 20;

  /** The bits per key from which 64-bit hashes take at most a third more. */
  private static final int MANY_BITS = 48;

  private static final double HASHES = 0x1p64;

  private ExactSet() {}

  /**
   * Returns what to use in place of the filters of {@code rows}, if anything: a sentence in two
   * lines.
   */
  public static Optional<String> insteadOf(List<SizeRow> rows) {
    SizeRow smallest =
        rows.stream()
            .filter(SizeRow::isPossible)
            .min(Comparator.comparingDouble(row -> row.plan().bitsPerKey()))
            .orElseThrow();
    long keys = smallest.keys();
    if (keys <= SMALL / SET_BYTES) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "No filter is needed for %,d keys: a HashSet of them takes about %,d bytes (%d for a"
                  + " key of%n20 letters), which the cache of a processor holds, and is never"
                  + " wrong.",
              keys,
              keys * SET_BYTES,
              SET_BYTES));
    }
    if (smallest.plan().bitsPerKey() >= MANY_BITS) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "No filter is needed: the sorted 64-bit hashes of %,d keys take %,d bytes, the"
                  + " smallest%nfilter %,d, and are wrong at a rate of %.1e.",
              keys,
              keys * Long.BYTES,
              smallest.bytes(),
              keys / HASHES));
    }
    return Optional.empty();
  }
}
