package io.bloomery.partitioned;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Measures rates by hashes that were never put. */
class RateTest {

  static Stream<FilterProvider> providers() {
    return Stream.of(new PartitionedProvider(), new SplitBlockProvider());
  }

  static Stream<Arguments> smallFilters() {
    return providers()
        .flatMap(
            provider ->
                Stream.of(
                    Arguments.of(provider, 1, 0.3, 400_000),
                    Arguments.of(provider, 1, 0.01, 400_000),
                    Arguments.of(provider, 10, 0.3, 200_000),
                    Arguments.of(provider, 10, 0.05, 200_000),
                    Arguments.of(provider, 10, 0.001, 400_000),
                    Arguments.of(provider, 100, 0.2, 40_000),
                    Arguments.of(provider, 100, 0.01, 40_000),
                    Arguments.of(provider, 100, 0.0099, 40_000),
                    Arguments.of(provider, 1_000, 0.05, 10_000)));
  }

  // One query of each filter: all queries are independent, so that the plan must hold as it
  // stands, with no room for how full this filter or that one happens to be.
  @ParameterizedTest(name = "{0}, {1} keys at {2}")
  @MethodSource("smallFilters")
  void freshFiltersHaveTheRateOfTheirPlan(
      FilterProvider provider, int keys, double rate, int filters) {
    SplittableRandom random = new SplittableRandom(31);
    FilterSpec spec = FilterSpec.of(keys, rate);
    for (int load : new int[] {keys, 3 * keys}) {
      Filter filter = provider.create(spec, ThreadMode.CONFINED);
      long hits = 0;
      for (int i = 0; i < filters; i++) {
        filter.clear();
        for (int j = 0; j < load; j++) {
          filter.put(random.nextLong());
        }
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
      Tails.assertBinomial(
          hits, filters, provider.plan(spec).falsePositiveRate(load), load + " keys");
    }
  }

  static Stream<Arguments> largeFilters() {
    return providers()
        .flatMap(
            provider ->
                Stream.of(
                    Arguments.of(provider, 1_000, 0.01, 2_000_000),
                    Arguments.of(provider, 100_000, 0.05, 2_000_000),
                    Arguments.of(provider, 100_000, 0.01, 2_000_000),
                    Arguments.of(provider, 100_000, 0.001, 4_000_000),
                    Arguments.of(provider, 20_000, 1e-6, 4_000_000),
                    Arguments.of(provider, 1_000_000, 0.01, 2_000_000)));
  }

  @ParameterizedTest(name = "{0}, {1} keys at {2}")
  @MethodSource("largeFilters")
  void measuredRateIsThatOfTheBitsAsTheyAre(
      FilterProvider provider, int keys, double rate, int queries) {
    FilterSpec spec = FilterSpec.of(keys, rate);
    Filter filter = provider.create(spec, ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(32);
    int put = 0;
    for (int halves : new int[] {1, 2, 3, 4}) {
      for (; put < halves * (long) keys / 2; put++) {
        filter.put(random.nextLong());
      }
      long hits = 0;
      for (int i = 0; i < queries; i++) {
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
      double ofTheBits = filter.stats().falsePositiveRate();
      Tails.assertBinomial(hits, queries, ofTheBits, put + " keys");
    }
  }
}
