package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignRateTest {

  private static final int[] KEYS = {1, 5, 30};
  private static final double[] RATES = {0.05, 1e-3, 1e-7};
  private static final int TRIALS = 40_000;

  static Stream<ForeignFormat> formats() {
    return Arrays.stream(ForeignFormat.values()).filter(format -> format.likeness() == format);
  }

  /**
   * The measured number of hits is within five standard errors, a chance of 1e-6, of what the
   * stated interval allows, widened by a tenth: its own ends are wrong in one case of 100, and then
   * by little.
   */
  @ParameterizedTest
  @MethodSource("formats")
  @Tag("nightly")
  void drawnKeysAreFoundAtTheStatedRate(ForeignFormat format) {
    for (int keys : KEYS) {
      for (double rate : RATES) {
        checkRate(format, keys, rate);
      }
    }
  }

  /** Each number of keys with one of the rates, and each rate. */
  @ParameterizedTest
  @MethodSource("formats")
  void drawnKeysAreFoundAtSomeStatedRates(ForeignFormat format) {
    int first = DayDraw.random().nextInt(RATES.length);
    for (int i = 0; i < KEYS.length; i++) {
      checkRate(format, KEYS[i], RATES[(first + i) % RATES.length]);
    }
  }

  private static void checkRate(ForeignFormat format, int keys, double rate) {
    SplittableRandom random = new SplittableRandom(81 + keys);
    ForeignFilter filter = filled(format, keys, rate, random);
    if (filter == null) {
      return;
    }
    ForeignRate stated = filter.rate();
    int hits = hits(filter, random, TRIALS);
    String what = format + ", " + keys + " at " + rate + ", stated " + stated + ": " + hits;
    double most = 1.1 * stated.highest() * TRIALS;
    double fewest = 0.9 * stated.lowest() * TRIALS;
    assertTrue(hits <= most + 5 * Math.sqrt(most) + 2, what);
    assertTrue(hits >= fewest - 5 * Math.sqrt(fewest), what);
    assertTrue(stated.lowest() <= stated.rate() && stated.rate() <= stated.highest(), what);
    if (stated.rate() > 1e-3) {
      assertTrue(stated.highest() / stated.lowest() < 1.5, what);
    }
    assertEquals(stated.rate(), filter.stats().falsePositiveRate(), what);
  }

  /** With 2,000 fillings of few keys the standard error is below 5 %: five of them. */
  @ParameterizedTest
  @EnumSource(names = {"GUAVA", "SPARK_V2", "CASSANDRA_4", "DATASKETCHES", "ORC", "REDISBLOOM"})
  void theExpectedRateIsTheMeanOverFillings(ForeignFormat format) {
    SplittableRandom random = new SplittableRandom(82);
    for (int keys : new int[] {1, 5}) {
      double asked = 1e-4;
      long hits = 0;
      int fillings = 2_000;
      for (int i = 0; i < fillings; i++) {
        hits += hits(filled(format, keys, asked, random), random, 150);
      }
      double mean = hits / 150.0 / fillings;
      ForeignRate expected = format.expectedRate(ForeignParameters.expect(keys, asked));
      assertEquals(mean, expected.rate(), 0.25 * mean, format + ", " + keys);
      assertTrue(expected.lowest() > 5 * asked, format + ": " + expected);
    }
  }

  @Test
  void largeTablesHaveTheRateOfIndependentPositions() {
    ForeignRate expected =
        ForeignFormat.GUAVA.expectedRate(ForeignParameters.expect(1_000_000, 0.01));
    assertEquals(0.01, expected.rate(), 2e-4);
    assertEquals(expected.ifIndependent(), expected.rate());
    assertTrue(expected.highest() < 0.0103, expected::toString);
    ForeignRate low = ForeignFormat.GUAVA.expectedRate(ForeignParameters.expect(100_000, 1e-9));
    assertTrue(low.highest() > 1e-7, low::toString);
  }

  @Test
  void anEmptyFilterHasRateZero() {
    formats()
        .forEach(
            format ->
                assertEquals(
                    0, format.create(5, ForeignFilters.rate(format)).rate().rate(), format::id));
  }

  /** Returns null if the system makes no such filter. */
  private static ForeignFilter filled(
      ForeignFormat format, int keys, double rate, SplittableRandom random) {
    ForeignFilter filter;
    try {
      filter = format.create(keys, rate);
    } catch (IllegalArgumentException e) {
      return null;
    }
    for (int i = 0; i < keys; i++) {
      filter.put("member " + random.nextLong(), ItemEncoding.utf8());
    }
    return filter;
  }

  private static int hits(ForeignFilter filter, SplittableRandom random, int trials) {
    var view = filter.view(ItemEncoding.longsLittleEndian());
    int hits = 0;
    for (int i = 0; i < trials; i++) {
      hits += view.mightContain(random.nextLong()) ? 1 : 0;
    }
    return hits;
  }
}
