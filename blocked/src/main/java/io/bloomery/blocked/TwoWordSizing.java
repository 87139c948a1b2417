package io.bloomery.blocked;

import io.bloomery.internal.BlockSizing;

/**
 * The size and rate of a {@link TwoWordFilter}, whose blocks are all pairs of adjacent words, which
 * overlap.
 *
 * <p>The two words of a pair hold only keys of that pair and its neighbours. The first and the last
 * pair have one neighbour, all others two.
 */
final class TwoWordSizing {

  /** The minimum number of words, for which some pair has two neighbours. */
  static final int MIN_WORDS = 4;

  private static final BlockSizing INNER = sizing(2);
  private static final BlockSizing OUTER = sizing(1);

  private TwoWordSizing() {}

  // Three adjacent pairs are selected by the same number of the 32-bit values everywhere, give or
  // take one, but the middle pair, which is queried, may be more frequent than its neighbours.
  // Counting it as two values instead of one gives a rate above that of every single pair, checked
  // for 2 to 50 values per pair.
  private static BlockSizing sizing(int neighbours) {
    return TwoWordPatterns.rotated().sizing(neighbours).pickedByWordProbes(2);
  }

  /** Returns the false-positive probability after n keys. */
  static double rate(long keys, long words) {
    double pairs = words - 1;
    double inner = INNER.rate(keys, pairs / 3);
    double outer = OUTER.rate(keys, pairs / 2);
    return inner - 2 / pairs * (inner - outer);
  }

  /** Returns the least number of words whose rate after n keys is at most {@code rate}. */
  static long minWords(long keys, double rate) {
    long beyond =
        BlockSizing.minParts(keys, rate, Long.SIZE, more -> rate(keys, MIN_WORDS - 1 + more));
    return MIN_WORDS - 1 + beyond;
  }
}
