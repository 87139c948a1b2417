package io.bloomery.partitioned;

import io.bloomery.internal.RotatedPatterns;

/**
 * The sets of three bits that a key of a {@link TwoWordFilter} has in a word: 64 patterns, each
 * rotated to one of 64 places.
 *
 * <p>With 4,096 sets instead of all 41,664 the filter takes 0.6 % more bits at 1 %. Pattern i has
 * bits 0, 1 + i mod 31 and 32 + i / 2, so that every distance between two bits is about as frequent
 * as any other: patterns of neighbouring bits take 2 % more. A key has one pattern in both words,
 * rotated in each by itself: one for each word would save 0.04 % of the bits.
 */
final class TwoWordPatterns {

  private static final int PATTERNS = 64;

  private TwoWordPatterns() {}

  /** Returns a pattern before it is rotated. Part of the file format. */
  static long pattern(int number) {
    return 1L | (2L << (number % 31)) | (1L << (32 + number / 2));
  }

  /** Returns all patterns, by their numbers. */
  static long[] all() {
    long[] patterns = new long[PATTERNS];
    for (int i = 0; i < PATTERNS; i++) {
      patterns[i] = pattern(i);
    }
    return patterns;
  }

  /** Returns what follows from them. */
  static RotatedPatterns rotated() {
    return new RotatedPatterns(all());
  }
}
