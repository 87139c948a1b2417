package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.Sizing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableSizingTest {

  /** The exact rate of one table: the probability of each number of set bits, probe by probe. */
  private static double exactRate(int bits, int probes, int keys) {
    double[] set = new double[bits + 1];
    set[0] = 1;
    for (int i = 0; i < probes * keys; i++) {
      for (int j = Math.min(i + 1, bits); j >= 1; j--) {
        set[j] = set[j] * j / bits + set[j - 1] * (bits - j + 1) / bits;
      }
      set[0] = 0;
    }
    double rate = 0;
    for (int j = 0; j <= bits; j++) {
      rate += set[j] * Math.pow((double) j / bits, probes);
    }
    return rate;
  }

  @ParameterizedTest
  @CsvSource({
    "32, 3, 4, 3.287857e-2", "64, 7, 6, 6.859412e-3", "128, 7, 13, 9.446242e-3",
    "256, 4, 32, 2.431241e-2", "256, 7, 26, 9.134647e-3", "1024, 7, 107, 1.019955e-2",
    "1024, 4, 128, 2.405442e-2"
  })
  void theOracleAgreesWithPublishedCells(int bits, int probes, int keys, double rate) {
    assertEquals(rate, exactRate(bits, probes, keys), rate * 1e-6);
  }

  @Test
  void theFormulaIsNeverBelowTheExactRate() {
    for (int bits : new int[] {64, 128, 192, 320, 640, 1024, 1920}) {
      for (int probes : new int[] {1, 2, 3, 5, 7, 10, 13, 20, 30, 64}) {
        for (int keys : new int[] {1, 2, 3, 6, 10, 30, 100}) {
          double exact = exactRate(bits, probes, keys);
          double formula = Sizing.rate(keys, bits, probes);
          assertTrue(
              formula >= exact * (1 - 1e-9),
              bits + " bits, " + probes + " probes, " + keys + " keys: " + formula + " < " + exact);
        }
      }
    }
  }

  /**
   * Bits a key, probes and rate as published by Fan, Cao, Almeida and Broder, 2000, "Summary
   * Cache", doi.org/10.1109/90.851975, and used by Cassandra to plan.
   */
  @ParameterizedTest
  @CsvSource({
    "8, 5, 0.0217",
    "10, 7, 0.00819",
    "10, 4, 0.0118",
    "15, 10, 0.000744",
    "16, 11, 0.000459",
    "20, 14, 6.71e-5"
  })
  void ratesAreThoseOfTheSummaryCache(long bitsPerKey, int probes, double rate) {
    long keys = 10_000_000;
    double formula = Sizing.rate(keys, bitsPerKey * keys, probes);
    assertEquals(rate, formula, Math.pow(10, Math.floor(Math.log10(rate)) - 2) / 2 * 1.001);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 1.44270",
    "0.25, 2.88539",
    "0.1, 4.80833",
    "0.05, 6.24698",
    "0.03, 7.29875",
    "0.01, 9.59295",
    "0.001, 14.37764",
    "1e-4, 19.17295",
    "1e-6, 28.75528"
  })
  void bitsPerKeyAreThoseOfTheOptimum(double rate, double bitsPerKey) {
    long keys = 10_000_000;
    TableLayout layout = TableLayout.smallest(FilterSpec.of(keys, rate));
    assertEquals(bitsPerKey, (double) layout.bits() / keys, 2e-5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-7, 1e-9})
  void theLayoutKeepsTheRateAndNoSmallerOneDoes(double rate) {
    for (long keys = 1; keys <= 10_000_000_000L; keys *= 10) {
      for (long n : new long[] {keys, 2 * keys + 1, 7 * keys}) {
        if (n * 50 > BitTable.MAX_BITS) {
          continue;
        }
        FilterSpec spec = FilterSpec.of(n, rate);
        TableLayout layout = TableLayout.smallest(spec);
        double reached = Sizing.rate(n, layout.bits(), layout.probes()) + Sizing.collisionRate(n);
        assertTrue(reached <= rate, spec + ": " + layout + " reaches " + reached);
        for (int k = 1; k <= TableLayout.MAX_PROBES && layout.bits() > 64; k++) {
          double smaller = Sizing.rate(n, layout.bits() - 64, k) + Sizing.collisionRate(n);
          assertTrue(smaller > rate, spec + ": a word less and " + k + " probes would do");
        }
      }
    }
  }

  @Test
  void tenBillionKeysFitAtOnePercent() {
    TableLayout layout = TableLayout.smallest(FilterSpec.of(10_000_000_000L, 0.01));
    assertEquals(9.593, layout.bits() / 1e10, 1e-3);
    assertEquals(7, layout.probes());
  }

  @ParameterizedTest
  @CsvSource({"10_000_000_000, 1e-4", "100_000_000_000, 0.01", "9_000_000_000_000_000, 0.5"})
  void moreThanOneTableHoldsIsRefused(String keys, double rate) {
    FilterSpec spec = FilterSpec.of(Long.parseLong(keys.replace("_", "")), rate);
    String message =
        assertThrows(IllegalArgumentException.class, () -> TableLayout.smallest(spec)).getMessage();
    assertTrue(message.contains("137438952960"), message);
    assertTrue(message.contains("fewer keys or a higher rate"), message);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10, 1_000, 1_000_000, 1_000_000_000})
  void theLowestRateOfAllIsKept(long keys) {
    double lowest = FilterSpec.lowestRate(keys);
    TableLayout layout = TableLayout.smallest(FilterSpec.of(keys, lowest));
    double reached = Sizing.rate(keys, layout.bits(), layout.probes()) + Sizing.collisionRate(keys);
    assertTrue(reached <= lowest, reached + " > " + lowest);
  }

  @Test
  void aPlanSaysWhatItIs() {
    assertEquals(
        "plain for 1000 keys at a rate of 0.01: 9600 bits (9.60 a key), 7 probes, an expected rate"
            + " of 0.00998",
        new PlainProvider().plan(FilterSpec.of(1_000, 0.01)).toString());
  }

  @Test
  void statsOfAnEmptyAndOfAFullTableAreDefined() {
    FilterSpec spec = FilterSpec.of(10, 0.01);
    BitTable table = new BitTable(128, ThreadMode.CONFINED);
    assertEquals(
        FilterStats.of(spec).sizeInBits(128).approximateKeys(0).build(),
        TableLayout.ofBits(128).withProbes(3).stats(spec, table.countSetBits()));
    for (int i = 0; i < 128; i++) {
      table.set(i);
    }
    assertEquals(
        FilterStats.of(spec).sizeInBits(128).setBits(128).falsePositiveRate(1).build(),
        TableLayout.ofBits(128).withProbes(3).stats(spec, table.countSetBits()));
  }
}
