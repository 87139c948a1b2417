package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnedShapesTest {

  private static final long[] SHAPES = {0b1011, 1L | 1L << 20 | 1L << 63, 0b111};
  private static final TurnedShapes TURNED = new TurnedShapes(SHAPES);

  /** One key leaves its own turns and whatever else happens to lie in them: all are counted. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theRateAfterOneKeyIsTheShareOfTurnsWithinItIfItLiesInThePair(int neighbours) {
    double rate = 0;
    for (long key : SHAPES) {
      for (long query : SHAPES) {
        double inWord = (double) turnsWithin(query, key) / 64;
        rate += inWord * inWord / SHAPES.length / SHAPES.length / (1 + neighbours);
      }
    }
    double[] rates = TURNED.ratesInBlock(neighbours, 3);
    assertEquals(0, rates[0]);
    assertEquals(rate, rates[1], 1e-12);
    assertTrue(rates[2] > 2 * rate, "two keys have turns of both, besides");
  }

  private static int turnsWithin(long shape, long bits) {
    int turns = 0;
    for (int turn = 0; turn < 64; turn++) {
      turns += (Long.rotateLeft(shape, turn) & ~bits) == 0 ? 1 : 0;
    }
    return turns;
  }

  @Test
  void theRateOfTwoWordsIsTheShareOfTurnsThatAreFound() {
    SplittableRandom random = new SplittableRandom(60);
    long[] words = random.longs(2).map(word -> word | random.nextLong()).toArray();
    double rate = 0;
    for (long shape : SHAPES) {
      double first = turnsWithin(shape, words[0]);
      double second = turnsWithin(shape, words[1]);
      rate += first / 64 * second / 64 / SHAPES.length;
    }
    assertEquals(rate, rate(words[0], words[1]), 1e-15);
  }

  private static double rate(long first, long second) {
    int[] inFirst = new int[TURNED.count()];
    int[] inSecond = new int[TURNED.count()];
    TURNED.find(first, inFirst);
    TURNED.find(second, inSecond);
    return TURNED.rate(inFirst, inSecond);
  }

  private static long turned(SplittableRandom random, long shape) {
    return Long.rotateLeft(shape, random.nextInt(64));
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
        long shape = SHAPES[random.nextInt(SHAPES.length)];
        int lies = random.nextInt(1 + neighbours); // 0 is in the pair
        first |= lies != 2 ? turned(random, shape) : 0;
        second |= lies != 1 ? turned(random, shape) : 0;
      }
      double rate = rate(first, second);
      sum += rate;
      squares += rate * rate;
    }
    double mean = sum / pairs;
    double error = Math.sqrt((squares / pairs - mean * mean) / pairs);
    assertEquals(TURNED.ratesInBlock(neighbours, keys + 1)[keys], mean, 8 * error);
    assertEquals(mean, TURNED.sizing(neighbours).rate(keys, 1), 8 * error);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void keysAreEstimatedRightOnAverage(int words) {
    SplittableRandom random = new SplittableRandom(62);
    int keys = 9;
    int tries = 40_000;
    double[] byBits = TURNED.keysByBits(words);
    assertEquals(64 * words + 1, byBits.length);
    double estimates = 0;
    for (int i = 0; i < tries; i++) {
      int set = 0;
      for (int word = 0; word < words; word++) {
        long bits = 0;
        for (int key = 0; key < keys; key++) {
          bits |= turned(random, SHAPES[random.nextInt(SHAPES.length)]);
        }
        set += Long.bitCount(bits);
      }
      estimates += byBits[set];
    }
    assertEquals(keys, estimates / tries, 0.005 * keys);
  }

  @Test
  void shapesOfOtherSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new TurnedShapes(new long[] {7, 3}));
    assertThrows(IllegalArgumentException.class, () -> new TurnedShapes(new long[] {6}));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void otherNumbersOfNeighboursAreRefused(int neighbours) {
    assertThrows(IllegalArgumentException.class, () -> TURNED.sizing(neighbours));
  }
}
