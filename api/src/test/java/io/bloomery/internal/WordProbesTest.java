package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.spi.TableLayout;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordProbesTest {

  private static final double FALSE_ALARM = 1e-12;

  /** These numbers are in files: they never change. */
  @Test
  void probesAreThoseOfTheFormat() {
    long[] positions = new long[10];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = WordProbes.position(0x78af5f94892f3950L, i, 150);
    }
    assertEquals(
        "[5167, 2132, 4527, 3600, 3263, 3863, 428, 3342, 752, 4872]", Arrays.toString(positions));
  }

  @Test
  void probesAreRotationsOfTheHashAndOfItsProductsInOrder() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 0; n < 1_000; n++) {
      long hash = random.nextLong();
      long first = hash;
      int rotation = WordProbes.HASH_ROTATION;
      int count = WordProbes.HASH_PROBES;
      for (int i = 0; i < TableLayout.MAX_PROBES; ) {
        long probe = first;
        for (int j = 0; j < count; j++) {
          assertEquals(WordProbes.probe(hash, i), probe);
          probe = Long.rotateLeft(probe, rotation);
          assertEquals(WordProbes.bit(hash, i++), probe & 63);
        }
        first = WordProbes.product(first);
        rotation = WordProbes.PRODUCT_ROTATION;
        count = WordProbes.PROBES_PER_PRODUCT;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 150, 1 << 20, 0x55555555, Integer.MAX_VALUE - 8})
  void wordIsTheHighPartOfTheProduct(int words) {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 1_000; i++) {
      long probe = random.nextLong();
      assertEquals(wordOf(probe, words), WordProbes.word(probe, words));
    }
    assertEquals(words - 1, WordProbes.word(-1, words));
    assertEquals(0, WordProbes.word(0, words));
  }

  /** Tables that no array holds have positions too: the suite asks for them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 150, 1L << 31, 1L << 34, (1L << 62) - 1})
  void positionsOfTablesOfAnySizeAreThoseOfTheProduct(long words) {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1_000; i++) {
      long hash = random.nextLong();
      long probe = WordProbes.probe(hash, i % 9);
      long position = wordOf(probe, words) * 64 + WordProbes.bit(hash, i % 9);
      assertEquals(position, WordProbes.position(hash, i % 9, words));
    }
  }

  private static long wordOf(long probe, long words) {
    BigInteger value = BigInteger.valueOf(probe & 0xffffffffL);
    return value.multiply(BigInteger.valueOf(words)).shiftRight(32).longValueExact();
  }

  /**
   * The cells in which double hashing fails by factors of 1.2 to millions, and some in which
   * rotations of one product would, or of 9 bits. The bound is the rate of the bits that are really
   * set, averaged: what is left is the chance of the queries.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 23, 1",
    "1, 7, 6",
    "2, 7, 13",
    "3, 13, 10",
    "4, 20, 10",
    "16, 7, 107",
    "16, 8, 107",
    "64, 10, 284",
    "150, 7, 1000",
    "4096, 8, 30000",
    "16384, 14, 70000"
  })
  void rateIsThatOfIndependentProbes(int size, int probes, int keys) {
    SplittableRandom random = new SplittableRandom(4);
    int filters = Math.max(1, 40_000 / keys);
    int queries = 8_000_000 / filters;
    int hits = 0;
    double expected = 0;
    for (int i = 0; i < filters; i++) {
      long[] words = new long[size];
      for (int key = 0; key < keys; key++) {
        long hash = random.nextLong();
        for (int j = 0; j < probes; j++) {
          words[WordProbes.word(WordProbes.probe(hash, j), size)] |= 1L << WordProbes.bit(hash, j);
        }
      }
      int set = 0;
      for (long word : words) {
        set += Long.bitCount(word);
      }
      expected += Math.pow(set / 64.0 / size, probes) / filters;
      for (int query = 0; query < queries; query++) {
        hits += contains(words, random.nextLong(), probes) ? 1 : 0;
      }
    }
    int asked = filters * queries;
    double tail =
        new BinomialTest().binomialTest(asked, hits, expected, AlternativeHypothesis.GREATER_THAN);
    assertTrue(tail >= FALSE_ALARM, hits + " of " + asked + " where " + expected + " was expected");
  }

  private static boolean contains(long[] words, long hash, int probes) {
    for (int j = 0; j < probes; j++) {
      long word = words[WordProbes.word(WordProbes.probe(hash, j), words.length)];
      if ((word >>> WordProbes.bit(hash, j) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Every value of the high bits, counted: which words have how many of them, and how full. */
  @Test
  void fillIsTheMeanOverWordsOfUnequalChances() {
    // 2^32 values over 3 words are 2^32/3 each, and one more for one of them: practically even.
    double even = 1 - Math.pow(1 - 7 / 192.0, 10);
    assertEquals(even, Sizing.fill(10, 3, 7), 1e-9);
    // Over 2^31 + 2^30 words, two thirds have one value and one third two.
    long words = 3L << 30;
    long keys = words * 7;
    double light = 1 - Math.exp(-7.0 * keys / 0x1p32 / 64);
    double heavy = 1 - Math.exp(-2 * 7.0 * keys / 0x1p32 / 64);
    assertEquals(light * 0.5 + heavy * 0.5, Sizing.fill(keys, words, 7), 1e-9);
  }
}
