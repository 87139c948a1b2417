package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that our variants tell when they are overfull. Hashes are drawn from seed 38, so nothing
 * is left to chance; from another seed, a filter with as many keys as expected would be called
 * overfull at sixteen standard errors of the estimate, or for blocks at ten: fewer than once in
 * 10^20.
 */
class OverfullTest {

  private static final long KEYS = 10_000;

  private static Filter filled(String variant, double rate, long keys) {
    Filter filter =
        Bloomery.installed()
            .providers()
            .get(variant)
            .create(FilterSpec.of(KEYS, rate), ThreadMode.CONFINED);
    new SplittableRandom(38).longs(keys).forEach(filter::put);
    return filter;
  }

  @ParameterizedTest
  @CsvSource({
    "standard, 0.01",
    "standard, 0.0001",
    "partitioned, 0.01",
    "blocked, 0.01",
    "blocked, 0.001",
    "counting, 0.01"
  })
  void aFilterOfFixedSizeIsOverfullAboveItsKeysAndNotBefore(String variant, double rate) {
    for (long keys : new long[] {0, KEYS / 2, KEYS}) {
      FilterStats stats = filled(variant, rate, keys).stats();
      assertFalse(stats.isOverfull(), stats::toString);
    }
    for (int times : new int[] {2, 10}) {
      FilterStats stats = filled(variant, rate, times * KEYS).stats();
      assertTrue(stats.isOverfull(), stats::toString);
      assertTrue(stats.falsePositiveRate() > rate, stats::toString);
      if (times == 2) {
        assertEquals((double) KEYS, (double) stats.excessKeys().orElseThrow(), 0.05 * KEYS);
      }
      assertTrue(stats.toString().contains("overfull"), stats::toString);
    }
  }

  @Test
  void aFilterThatGrowsIsNeverOverfull() {
    FilterStats stats = filled("scalable", 0.01, 10 * KEYS).stats();
    assertFalse(stats.isOverfull(), stats::toString);
    assertEquals(OptionalLong.of(0), stats.excessKeys());
    assertTrue(stats.falsePositiveRate() <= 0.01, stats::toString);
  }

  @ParameterizedTest
  @CsvSource({"standard", "partitioned", "blocked", "counting", "counting-fast"})
  void aFilterWithEveryBitSetIsOverfullByAnUnknownNumber(String variant) {
    Filter filter =
        Bloomery.installed()
            .providers()
            .get(variant)
            .create(FilterSpec.of(10, 0.1), ThreadMode.CONFINED);
    new SplittableRandom(38).longs(10_000).forEach(filter::put);
    FilterStats stats = filter.stats();
    assertEquals(1.0, stats.falsePositiveRate());
    assertTrue(stats.isOverfull());
    assertEquals(OptionalLong.empty(), stats.excessKeys());
  }
}
