package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measures the rate of all layers together. A verdict is wrong once in 10^12, for seeds that are
 * fixed.
 */
class RateTest {

  private static final long[] TIMES = {1, 2, 10, 100, 1_000};
  private static final int PROBES = 400_000;

  // Few keys make filters differ, so there are more filters of fewer.
  @ParameterizedTest
  @CsvSource({
    "1, 0.05, 0.85, 2, 200",
    "10, 0.1, 0.5, 4, 100",
    "10, 1e-4, 0.9, 2, 100",
    "100, 0.01, 0.85, 2, 10",
    "100, 0.9, 0.7, 2, 10",
    "100, 0.01, 0.99, 16, 10",
    "1000, 0.001, 0.8, 4, 1",
    "1000, 0.01, 0.85, 2, 1"
  })
  void theRateAskedIsKeptAtEverySize(
      int keys, double rate, double tightening, int growth, int filters) {
    ScalableProvider provider =
        new ScalableProvider().withTightening(tightening).withGrowth(growth);
    FilterSpec spec = FilterSpec.of(keys, rate);
    FilterPlan plan = provider.plan(spec);
    SplittableRandom random = new SplittableRandom(23);
    long[] hits = new long[TIMES.length];
    int probes = PROBES / filters;
    for (int i = 0; i < filters; i++) {
      Filter filter = provider.create(spec, ThreadMode.CONFINED);
      long put = 0;
      for (int j = 0; j < TIMES.length; j++) {
        for (; put < TIMES[j] * keys; put++) {
          filter.put(random.nextLong());
        }
        for (int k = 0; k < probes; k++) {
          hits[j] += filter.mightContain(random.nextLong()) ? 1 : 0;
        }
      }
    }
    for (int j = 0; j < TIMES.length; j++) {
      long trials = (long) probes * filters;
      Tail.notAbove(rate, hits[j], trials);
      // A high rate is not used up: what is offered to a layer is then far fewer than it could be.
      Tail.notBelow(plan.falsePositiveRate(TIMES[j] * keys) / 4, hits[j], trials);
    }
  }

  @Test
  void theRatePlannedIsTheRateMeasured() {
    FilterSpec spec = FilterSpec.of(1_000, 0.1);
    FilterPlan plan = new ScalableProvider().plan(spec);
    Filter filter = new ScalableProvider().create(spec, ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(29);
    int put = 0;
    for (int keys : new int[] {500, 1_000, 2_000, 5_000, 20_000}) {
      for (; put < keys; put++) {
        filter.put(random.nextLong());
      }
      long hits = 0;
      for (int i = 0; i < PROBES; i++) {
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
      // Up to a tenth for the scatter of fills and for rounding up to what is offered.
      Tail.notAbove(1.1 * plan.falsePositiveRate(keys), hits, PROBES);
      Tail.notBelow(0.8 * plan.falsePositiveRate(keys), hits, PROBES);
    }
  }

  @Test
  void theRatePlannedRisesAndStaysBelowTheRateAsked() {
    for (double rate : new double[] {0.9, 0.01, 1e-6}) {
      FilterPlan plan = new ScalableProvider().plan(FilterSpec.of(100, rate));
      double before = 0;
      assertEquals(0, plan.falsePositiveRate(0));
      for (long keys = 1; keys < 1L << 50; keys += keys / 7 + 1) {
        double now = plan.falsePositiveRate(keys);
        assertTrue(now >= before && now <= rate, keys + " keys: " + before + ", then " + now);
        before = now;
      }
    }
  }

  @Test
  void aFilterThatCannotGrowKeepsTheRateItHas() {
    FilterSpec spec = FilterSpec.of(100, 0.01);
    FilterPlan one = new ScalableProvider().withMaxLayers(1).plan(spec);
    assertEquals(one.falsePositiveRate(101), one.falsePositiveRate(1_000_000));
    FilterPlan small = new ScalableProvider().withMaxBytes(1_000).plan(spec);
    assertTrue(small.falsePositiveRate(300) > small.falsePositiveRate(100));
    assertEquals(small.falsePositiveRate(301), small.falsePositiveRate(1_000_000));
  }

  @Test
  void measuredStatisticsAgreeWithWhatWasPut() {
    Filter filter = new ScalableProvider().create(FilterSpec.of(1_000, 0.01), ThreadMode.SHARED);
    assertEquals(0, filter.stats().approximateKeys().getAsLong());
    assertEquals(0, filter.stats().falsePositiveRate());
    SplittableRandom random = new SplittableRandom(31);
    for (int i = 0; i < 50_000; i++) {
      filter.put(random.nextLong());
    }
    // Six standard errors of the sum of the layers' estimates, and the keys no layer was changed
    // by.
    double keys = filter.stats().approximateKeys().getAsLong();
    assertEquals(50_000, keys, 0.012 * 50_000);
    long hits = 0;
    for (int i = 0; i < PROBES; i++) {
      hits += filter.mightContain(random.nextLong()) ? 1 : 0;
    }
    Tail.notAbove(filter.stats().falsePositiveRate(), hits, PROBES);
    Tail.notBelow(filter.stats().falsePositiveRate(), hits, PROBES);
    assertTrue(filter.stats().setBits() < filter.stats().sizeInBits());
    assertEquals(
        filter.payloadSize(),
        filter.stats().sizeInBits() / 8 + 8 + 32L * PayloadBuffer.keys(filter).length);
  }
}
