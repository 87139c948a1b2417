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

  /** One key leaves its own places and whatever else happens to lie in them: all are counted. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void theRateOfABlockOfOneKeyIsTheShareOfPlacesWithinIt(int wordsInHalf) {
    TurnedShapes turned = new TurnedShapes(SHAPES, wordsInHalf);
    double rate = 0;
    for (long key : SHAPES) {
      for (long query : SHAPES) {
        double inHalf = (double) turnsWithin(query, key) / (64 * wordsInHalf);
        rate += inHalf * inHalf / SHAPES.length / SHAPES.length;
      }
    }
    double[] rates = turned.ratesInBlock(3);
    assertEquals(0, rates[0]);
    assertEquals(rate, rates[1], 1e-12);
    assertTrue(rates[2] > 2 * rate, "two keys have places of both, besides");
  }

  private static int turnsWithin(long shape, long bits) {
    int turns = 0;
    for (int turn = 0; turn < 64; turn++) {
      turns += (Long.rotateLeft(shape, turn) & ~bits) == 0 ? 1 : 0;
    }
    return turns;
  }

  @Test
  void theRateOfABlockIsTheShareOfItsPlacesThatAreFound() {
    SplittableRandom random = new SplittableRandom(60);
    long[] block = random.longs(4).map(word -> word | random.nextLong()).toArray();
    double rate = 0;
    for (long shape : SHAPES) {
      double first = turnsWithin(shape, block[0]) + turnsWithin(shape, block[1]);
      double second = turnsWithin(shape, block[2]) + turnsWithin(shape, block[3]);
      rate += first / 128 * second / 128 / SHAPES.length;
    }
    assertEquals(rate, new TurnedShapes(SHAPES, 2).rate(block), 1e-15);
  }

  /** The mean over random blocks of keys, each measured exactly: eight standard errors of it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void blocksOfSomeKeysHaveThatRateOnAverageAndAsManyKeys(int wordsInHalf) {
    TurnedShapes turned = new TurnedShapes(SHAPES, wordsInHalf);
    SplittableRandom random = new SplittableRandom(61);
    int keys = 9 * wordsInHalf;
    int blocks = 40_000;
    double[] keysInBlock = turned.keysInBlock();
    double sum = 0;
    double squares = 0;
    double estimates = 0;
    for (int i = 0; i < blocks; i++) {
      long[] block = new long[2 * wordsInHalf];
      int set = 0;
      for (int key = 0; key < keys; key++) {
        long shape = SHAPES[random.nextInt(SHAPES.length)];
        block[random.nextInt(wordsInHalf)] |= Long.rotateLeft(shape, random.nextInt(64));
        block[wordsInHalf + random.nextInt(wordsInHalf)] |=
            Long.rotateLeft(shape, random.nextInt(64));
      }
      for (long word : block) {
        set += Long.bitCount(word);
      }
      double rate = turned.rate(block);
      sum += rate;
      squares += rate * rate;
      estimates += keysInBlock[set];
    }
    double mean = sum / blocks;
    double error = Math.sqrt((squares / blocks - mean * mean) / blocks);
    assertEquals(turned.ratesInBlock(keys + 1)[keys], mean, 8 * error);
    assertEquals(keys, estimates / blocks, 0.003 * keys);
  }

  @Test
  void shapesOfOtherSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new TurnedShapes(new long[] {7, 3}, 1));
    assertThrows(IllegalArgumentException.class, () -> new TurnedShapes(new long[] {6}, 1));
  }
}
