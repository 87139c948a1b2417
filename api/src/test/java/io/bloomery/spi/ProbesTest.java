package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbesTest {

  private static final double FALSE_ALARM = 1e-12;

  /** These numbers are in files: they never change. */
  @Test
  void probesAreThoseOfTheFormat() {
    long probe = 0x78af5f94892f3950L;
    long[] positions = new long[5];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Probes.within(9600).position(probe);
      probe = Probes.next(probe);
    }
    assertEquals("[4525, 9584, 5362, 5809, 7351]", Arrays.toString(positions));
  }

  @ParameterizedTest
  @ValueSource(
      longs = {64, 9600, 0x7fffffffL, 1L << 32, 137_438_952_960L, 1L << 40, (1L << 62) - 1})
  void positionIsTheHighPartOfTheProduct(long size) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      long probe = random.nextLong();
      BigInteger product = BigInteger.valueOf(probe >>> 1).multiply(BigInteger.valueOf(size));
      assertEquals(product.shiftRight(63).longValueExact(), Probes.within(size).position(probe));
    }
    assertEquals(size - 1, Probes.within(size).position(-1));
    assertEquals(0, Probes.within(size).position(0));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1L << 62, Long.MAX_VALUE})
  void sizesThatNoTableHasAreRefused(long size) {
    assertThrows(IllegalArgumentException.class, () -> Probes.within(size));
  }

  /** Above 2^31 and 2^32 bits too, which no test can allocate. */
  @ParameterizedTest
  @ValueSource(
      longs = {64, 0x7fffffffL, 0x80000040L, 1L << 32, 0x180000000L, 137_438_952_960L, 1L << 40})
  void everyProbeIsUniformOverTheTable(long size) {
    int regions = 64;
    int hashes = 200_000;
    for (int number = 0; number < 8; number++) {
      long[] hits = new long[regions];
      SplittableRandom random = new SplittableRandom(2);
      for (int i = 0; i < hashes; i++) {
        long probe = random.nextLong();
        for (int j = 0; j < number; j++) {
          probe = Probes.next(probe);
        }
        hits[(int) (Probes.within(size).position(probe) / ((size + regions - 1) / regions))]++;
      }
      double square = 0;
      for (long hit : hits) {
        double expected = (double) hashes / regions;
        square += (hit - expected) * (hit - expected) / expected;
      }
      // The quantile of chi-square with 63 degrees of freedom at 1e-12.
      assertTrue(square < 176.71, "probe " + number + ": chi-square " + square);
    }
  }

  /**
   * The cells in which double hashing fails by factors of 1.2 to 40. The bound is the rate of the
   * bits that are really set, averaged: what is left is the chance of the queries.
   */
  @ParameterizedTest
  @CsvSource({
    "64, 23, 1",
    "64, 7, 6",
    "128, 7, 13",
    "192, 13, 10",
    "256, 20, 10",
    "1024, 7, 107",
    "4096, 10, 284",
    "9600, 7, 1000"
  })
  void rateIsThatOfIndependentProbes(int bits, int probes, int keys) {
    SplittableRandom random = new SplittableRandom(3);
    int filters = Math.max(20, 20_000 / keys);
    int queries = 4_000_000 / filters;
    int hits = 0;
    double expected = 0;
    for (int i = 0; i < filters; i++) {
      long[] words = new long[bits / 64];
      for (int key = 0; key < keys; key++) {
        long probe = random.nextLong();
        for (int j = 0; j < probes; j++) {
          long position = Probes.within(bits).position(probe);
          words[(int) (position >>> 6)] |= 1L << position;
          probe = Probes.next(probe);
        }
      }
      int set = 0;
      for (long word : words) {
        set += Long.bitCount(word);
      }
      expected += Math.pow((double) set / bits, probes) / filters;
      for (int query = 0; query < queries; query++) {
        hits += contains(words, random.nextLong(), bits, probes) ? 1 : 0;
      }
    }
    int asked = filters * queries;
    double tail =
        new BinomialTest().binomialTest(asked, hits, expected, AlternativeHypothesis.GREATER_THAN);
    assertTrue(tail >= FALSE_ALARM, hits + " of " + asked + " where " + expected + " was expected");
  }

  private static boolean contains(long[] words, long hash, int bits, int probes) {
    long probe = hash;
    for (int j = 0; j < probes; j++) {
      long position = Probes.within(bits).position(probe);
      if ((words[(int) (position >>> 6)] >>> position & 1) == 0) {
        return false;
      }
      probe = Probes.next(probe);
    }
    return true;
  }
}
