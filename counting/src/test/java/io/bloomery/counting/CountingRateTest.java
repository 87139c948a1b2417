package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.stat.inference.BinomialTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measures rates, in two steps that are each sharp. */
class CountingRateTest {

  private static final double FALSE_ALARM = 1e-12;
  private static final List<AlternativeHypothesis> ONE_SIDED =
      List.of(AlternativeHypothesis.GREATER_THAN, AlternativeHypothesis.LESS_THAN);

  private static CounterBlockFilter<?> filled(long keys, double rate, SplittableRandom random) {
    CounterBlockFilter<?> filter =
        CountingVariant.SMALL.create(FilterSpec.of(keys, rate), ThreadMode.CONFINED);
    for (long i = 0; i < keys; i++) {
      filter.put(random.nextLong());
    }
    return filter;
  }

  /**
   * Given its bits, the hits among hashes never put are binomial with the rate that the filter
   * states. Two-sided, at most 1e-12 on each side; the seed is that of the cell.
   */
  @ParameterizedTest(name = "{0} keys at {1}, {2} queries")
  @CsvSource({
    "10, 0.05, 2000000",
    "100, 0.01, 2000000",
    "1000, 0.001, 2000000",
    "100000, 0.05, 2000000",
    "100000, 0.01, 2000000",
    "100000, 0.001, 5000000",
    "100000, 1e-5, 10000000",
    "1000000, 0.01, 2000000"
  })
  void absentKeysHitAsOftenAsTheFilterStates(long keys, double rate, int queries) {
    SplittableRandom random = new SplittableRandom(keys + queries);
    CounterBlockFilter<?> filter = filled(keys, rate, random);
    double stated = filter.stats().falsePositiveRate();
    int hits = 0;
    for (int i = 0; i < queries; i++) {
      hits += filter.mightContain(random.nextLong()) ? 1 : 0;
    }
    String measured = hits + " hits of " + queries + " at a stated rate of " + stated;
    for (AlternativeHypothesis side : ONE_SIDED) {
      double tail = new BinomialTest().binomialTest(queries, hits, stated, side);
      assertTrue(tail > FALSE_ALARM, measured);
    }
  }

  /**
   * The mean over many filters of the rate they state is the planned one. Within 8 standard errors
   * of the mean as found, a chance of 1e-12 for as many as 100 filters; the seed is that of the
   * cell.
   */
  @ParameterizedTest(name = "{0} keys at {1}, {2} filters")
  @CsvSource({
    "1, 0.01, 10000",
    "10, 0.05, 10000",
    "10, 0.001, 10000",
    "100, 0.01, 5000",
    "100, 1e-5, 5000",
    "1000, 0.05, 1000",
    "1000, 0.01, 1000",
    "1000, 1e-4, 1000",
    "20000, 0.01, 100",
    "20000, 0.001, 100",
    "20000, 1e-5, 100"
  })
  void filtersKeepThePlannedRateOnAverage(long keys, double rate, int filters) {
    SplittableRandom random = new SplittableRandom(keys * 31 + filters);
    FilterPlan plan = new CountingProvider().plan(FilterSpec.of(keys, rate));
    SummaryStatistics stated = new SummaryStatistics();
    for (int i = 0; i < filters; i++) {
      stated.addValue(filled(keys, rate, random).stats().falsePositiveRate());
    }
    double error = stated.getStandardDeviation() / Math.sqrt(filters);
    // The rate of a block that has one key does not vary, but for rounding.
    assertEquals(plan.falsePositiveRate(keys), stated.getMean(), 8 * error + 1e-15);
    assertTrue(plan.falsePositiveRate(keys) <= rate);
  }
}
