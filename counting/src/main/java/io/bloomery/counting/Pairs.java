package io.bloomery.counting;

import io.bloomery.internal.RotatedPatterns;

/**
 * The pairs of bits of keys with two positions in a word: 32 distances, each in 64 rotations.
 *
 * <p>Pair n is bits 0 and n + 1. A pair with a distance above 32 is a rotation of one with a
 * distance below, so that these are all pairs of bits, and those with distance 32 are twice as
 * likely as others. A key has the same pair in both words, rotated independently: a separate pair
 * for each word would save 0.1 % of the bits.
 */
final class Pairs {

  /** The number of pairs, without their rotations: a power of two. */
  static final int COUNT = 32;

  private Pairs() {}

  /** Returns the distance between the bits of a pair. Part of the file format. */
  static int distance(int number) {
    return number + 1;
  }

  /** Returns all pairs before rotation, by their numbers. */
  static long[] all() {
    long[] pairs = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      pairs[i] = 1L | 1L << distance(i);
    }
    return pairs;
  }

  /** Returns the formulas for these pairs. */
  static RotatedPatterns rotated() {
    return new RotatedPatterns(all());
  }
}
