package io.bloomery.blocked;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measures rates by hashes that were never put. */
class RateTest {

  private final FilterProvider provider = new BlockedProvider();

  // One query of each filter: all queries are independent, so that the plan must hold as it
  // stands, with no room for how full this filter or that one happens to be.
  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1, 0.3, 400000",
    "1, 0.01, 400000",
    "10, 0.3, 200000",
    "10, 0.05, 200000",
    "10, 0.001, 400000",
    "100, 0.2, 40000",
    "100, 0.01, 40000",
    "100, 0.0099, 40000",
    "1000, 0.05, 10000"
  })
  void freshFiltersHaveTheRateOfTheirPlan(int keys, double rate, int filters) {
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

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1000, 0.01, 2000000",
    "100000, 0.05, 2000000",
    "100000, 0.01, 2000000",
    "100000, 0.001, 4000000",
    "20000, 1e-6, 4000000",
    "1000000, 0.01, 2000000"
  })
  void measuredRateIsThatOfTheBitsAsTheyAre(int keys, double rate, int queries) {
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
