package io.bloomery.partitioned;

import io.bloomery.internal.BlockSizing;

/**
 * The sizes of a {@link TwoWordFilter}, whose pairs of words overlap: of a table's words, each two
 * that lie next to each other are one.
 *
 * <p>The keys of a pair and of its neighbours are all that its two words hold. The first pair and
 * the last have one neighbour, all others two.
 */
final class TwoWordSizing {

  /** Enough for two neighbours of some pair. */
  static final int MIN_WORDS = 4;

  private static final BlockSizing INNER = sizing(2);
  private static final BlockSizing OUTER = sizing(1);

  private TwoWordSizing() {}

  // A run of three pairs comes from as many of the 32-bit values as any other, or one more, but its
  // middle one, which is asked, need not be as frequent as the others. Counted as two values
  // instead of one, the rate is above that of every pair by itself, from 2 to 50 values for each.
  private static BlockSizing sizing(int neighbours) {
    return TwoWordPatterns.rotated().sizing(neighbours).pickedByWordProbes(2);
  }

  /** Returns the rate after n keys. */
  static double rate(long keys, long words) {
    double pairs = words - 1;
    double inner = INNER.rate(keys, pairs / 3);
    double outer = OUTER.rate(keys, pairs / 2);
    return inner - 2 / pairs * (inner - outer);
  }

  /** Finds the fewest words whose rate after n keys is at most {@code rate}. */
  static long minWords(long keys, double rate) {
    long beyond =
        BlockSizing.minParts(keys, rate, Long.SIZE, more -> rate(keys, MIN_WORDS - 1 + more));
    return MIN_WORDS - 1 + beyond;
  }
}
