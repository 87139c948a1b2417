package io.bloomery.counting;

import io.bloomery.internal.RotatedPatterns;

/**
 * The pairs of bits that a key with two positions in a word has there: 32 distances, each rotated
 * to one of 64 places.
 *
 * <p>Pair n is bits 0 and n + 1. A distance above 32 is one below, rotated, so that these are all
 * pairs that there are, those of distance 32 twice as often as others. A key has the same pair in
 * both words, rotated in each by itself: one for each word would save 0.1 % of the bits.
 */
final class Pairs {

  /** The number of pairs, without their rotations: a power of two. */
  static final int COUNT = 32;

  private Pairs() {}

  /** Returns how far the bits of a pair lie apart. Part of the file format. */
  static int distance(int number) {
    return number + 1;
  }

  /** Returns all pairs before they are rotated, by their numbers. */
  static long[] all() {
    long[] pairs = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      pairs[i] = 1L | 1L << distance(i);
    }
    return pairs;
  }

  /** Returns what follows from them. */
  static RotatedPatterns rotated() {
    return new RotatedPatterns(all());
  }
}
