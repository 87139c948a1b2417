package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RotatedPatternsTest {

  private static final long[] PATTERNS = {0b1011, 1L | 1L << 20 | 1L << 63, 0b111};
  private static final RotatedPatterns ROTATED = new RotatedPatterns(PATTERNS);

  /** One key leaves its own rotations and whatever else happens to lie in them: all are counted. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theRateAfterOneKeyIsTheShareOfRotationsWithinItIfItLiesInThePair(int neighbours) {
    double rate = 0;
    for (long key : PATTERNS) {
      for (long query : PATTERNS) {
        double inWord = (double) rotationsWithin(query, key) / 64;
        rate += inWord * inWord / PATTERNS.length / PATTERNS.length / (1 + neighbours);
      }
    }
    double[] rates = ROTATED.ratesInBlock(neighbours, 3);
    assertEquals(0, rates[0]);
    assertEquals(rate, rates[1], rate * 1e-14);
    assertTrue(rates[2] > 2 * rate, "two keys have rotations of both, besides");
  }

  private static int rotationsWithin(long pattern, long bits) {
    int rotations = 0;
    for (int rotation = 0; rotation < 64; rotation++) {
      rotations += (Long.rotateLeft(pattern, rotation) & ~bits) == 0 ? 1 : 0;
    }
    return rotations;
  }

  @Test
  void theRateOfTwoWordsIsTheShareOfRotationsThatAreFound() {
    SplittableRandom random = new SplittableRandom(60);
    long[] words = random.longs(2).map(word -> word | random.nextLong()).toArray();
    double rate = 0;
    for (long pattern : PATTERNS) {
      double first = rotationsWithin(pattern, words[0]);
      double second = rotationsWithin(pattern, words[1]);
      rate += first / 64 * second / 64 / PATTERNS.length;
    }
    assertEquals(rate, rate(words[0], words[1]), 1e-15);
  }

  private static double rate(long first, long second) {
    return ROTATED.rate(first, second);
  }

  private static long rotated(SplittableRandom random, long pattern) {
    return Long.rotateLeft(pattern, random.nextInt(64));
  }

  /** The mean over random pairs, each measured exactly: eight standard errors of it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void pairsHaveThatRateOnAverageAfterSomeKeysInThemAndTheirNeighbours(int neighbours) {
    SplittableRandom random = new SplittableRandom(61);
    int keys = 9 * (1 + neighbours);
    int pairs = 40_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < pairs; i++) {
      long first = 0;
      long second = 0;
      for (int key = 0; key < keys; key++) {
        long pattern = PATTERNS[random.nextInt(PATTERNS.length)];
        int lies = random.nextInt(1 + neighbours); // 0 is in the pair
        first |= lies != 2 ? rotated(random, pattern) : 0;
        second |= lies != 1 ? rotated(random, pattern) : 0;
      }
      double rate = rate(first, second);
      sum += rate;
      squares += rate * rate;
    }
    double mean = sum / pairs;
    double error = Math.sqrt((squares / pairs - mean * mean) / pairs);
    assertEquals(ROTATED.ratesInBlock(neighbours, keys + 1)[keys], mean, 8 * error);
    assertEquals(mean, ROTATED.sizing(neighbours).rate(keys, 1), 8 * error);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void keysAreEstimatedRightOnAverage(int words) {
    SplittableRandom random = new SplittableRandom(62);
    int keys = 9;
    int tries = 40_000;
    double[] byBits = ROTATED.keysByBits(words);
    assertEquals(64 * words + 1, byBits.length);
    double estimates = 0;
    for (int i = 0; i < tries; i++) {
      int set = 0;
      for (int word = 0; word < words; word++) {
        long bits = 0;
        for (int key = 0; key < keys; key++) {
          bits |= rotated(random, PATTERNS[random.nextInt(PATTERNS.length)]);
        }
        set += Long.bitCount(bits);
      }
      estimates += byBits[set];
    }
    assertEquals(keys, estimates / tries, 0.005 * keys);
  }

  @Test
  void patternsOfOtherSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new RotatedPatterns(new long[] {7, 3}));
    assertThrows(IllegalArgumentException.class, () -> new RotatedPatterns(new long[] {6}));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void otherNumbersOfNeighboursAreRefused(int neighbours) {
    assertThrows(IllegalArgumentException.class, () -> ROTATED.sizing(neighbours));
  }
}
