package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that our variants tell when they are overfull. Hashes are drawn from seed 38, so nothing
 * is left to chance; from another seed, a filter with as many keys as expected would be called
 * overfull at sixteen standard errors of the estimate, or for blocks at ten: fewer than once in
 * 10^20.
 */
class OverfullTest {

  private static final long KEYS = 10_000;

  private static Filter filled(FilterProvider provider, double rate, long keys) {
    Filter filter = provider.create(FilterSpec.of(KEYS, rate), ThreadMode.CONFINED);
    new SplittableRandom(38).longs(keys).forEach(filter::put);
    return filter;
  }

  private static Stream<FilterProvider> providers(boolean grow) {
    return Bloomery.installed().providers().all().stream()
        .filter(provider -> filled(provider, 0.01, 0).stats().grows() == grow);
  }

  static Stream<FilterProvider> ofFixedSize() {
    return providers(false);
  }

  static Stream<FilterProvider> thatGrow() {
    return providers(true);
  }

  static Stream<Arguments> ofFixedSizeAtRates() {
    return ofFixedSize()
        .flatMap(
            provider -> DoubleStream.of(0.01, 0.001).mapToObj(rate -> arguments(provider, rate)));
  }

  @ParameterizedTest
  @MethodSource("ofFixedSizeAtRates")
  void aFilterOfFixedSizeIsOverfullAboveItsKeysAndNotBefore(FilterProvider provider, double rate) {
    for (long keys : new long[] {0, KEYS / 2, KEYS}) {
      FilterStats stats = filled(provider, rate, keys).stats();
      assertFalse(stats.isOverfull(), stats::toString);
    }
    for (int times : new int[] {2, 10}) {
      FilterStats stats = filled(provider, rate, times * KEYS).stats();
      assertTrue(stats.isOverfull(), stats::toString);
      assertTrue(stats.falsePositiveRate() > rate, stats::toString);
      if (times == 2) {
        assertEquals((double) KEYS, (double) stats.excessKeys().orElseThrow(), 0.05 * KEYS);
      }
      assertTrue(stats.toString().contains("overfull"), stats::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("thatGrow")
  void aFilterThatGrowsIsNeverOverfull(FilterProvider provider) {
    FilterStats stats = filled(provider, 0.01, 10 * KEYS).stats();
    assertFalse(stats.isOverfull(), stats::toString);
    assertEquals(OptionalLong.of(0), stats.excessKeys());
    assertTrue(stats.falsePositiveRate() <= 0.01, stats::toString);
  }

  @ParameterizedTest
  @MethodSource("ofFixedSize")
  void aFilterWithEveryBitSetIsOverfullByAnUnknownNumber(FilterProvider provider) {
    Filter filter = provider.create(FilterSpec.of(10, 0.1), ThreadMode.CONFINED);
    new SplittableRandom(38).longs(10_000).forEach(filter::put);
    FilterStats stats = filter.stats();
    assertEquals(1.0, stats.falsePositiveRate());
    assertTrue(stats.isOverfull());
    assertEquals(OptionalLong.empty(), stats.excessKeys());
  }
}
