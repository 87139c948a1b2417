package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.TableLayout;
import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceSizingTest {

  @ParameterizedTest(name = "{0} words in each of {1} slices, {2} keys")
  @CsvSource({"1, 1, 1", "1, 64, 5", "2, 20, 1", "22, 7, 1000", "1563, 13, 20000"})
  void rateEqualsTheFormulaInFortyDigits(long sliceWords, int slices, int keys) {
    MathContext digits = new MathContext(40);
    BigDecimal bits = BigDecimal.valueOf(sliceWords * Long.SIZE);
    BigDecimal missed = bits.subtract(BigDecimal.ONE).divide(bits, digits);
    BigDecimal fill = BigDecimal.ONE.subtract(missed.pow(keys, digits));
    double exact = fill.pow(slices, digits).doubleValue();
    assertEquals(exact, SliceSizing.rate(keys, sliceWords, slices), 1e-12 * exact);
  }

  @Test
  void noTableWithAWordLessKeepsTheRateWhateverItsSlices() {
    for (long keys : new long[] {1, 2, 10, 100, 1_000, 33_333, 1_000_000, 100_000_000}) {
      for (double rate = 0.7; rate > Math.max(1e-17, FilterSpec.lowestRate(keys)); rate *= 0.61) {
        TableLayout layout = SliceSizing.smallest(FilterSpec.of(keys, rate));
        double left = rate - Sizing.collisionRate(keys);
        String what = keys + " keys at " + rate + " in " + layout;
        assertTrue(rateOf(keys, layout.bits(), layout.probes()) <= left, what);
        for (int k = 1; k <= TableLayout.MAX_PROBES; k++) {
          if (layout.bits() / Long.SIZE > k) {
            assertTrue(rateOf(keys, layout.bits() - Long.SIZE, k) > left, what + ", slices " + k);
          }
          if (k < layout.probes()) {
            assertTrue(rateOf(keys, layout.bits(), k) > left, what + ", slices " + k);
          }
        }
      }
    }
  }

  @Test
  void aRateThatALayoutJustKeepsTakesNoMoreAndOneBelowItIsKeptToo() {
    for (long keys : new long[] {1, 10, 1_000, 1_000_000}) {
      for (int slices = 1; slices <= 8; slices++) {
        long words = keys * slices * 3 / 2 / Long.SIZE;
        for (long bits = (words + slices) * Long.SIZE;
            bits < (words + 30) * Long.SIZE;
            bits += 64) {
          double exact = rateOf(keys, bits, slices);
          double just = exact + Sizing.collisionRate(keys);
          for (double rate : new double[] {Math.nextUp(just), just, Math.nextDown(just)}) {
            double left = rate - Sizing.collisionRate(keys);
            TableLayout layout = SliceSizing.smallest(FilterSpec.of(keys, rate));
            String what = keys + " keys at " + rate + " in " + layout;
            assertTrue(rateOf(keys, layout.bits(), layout.probes()) <= left, what);
            assertTrue(layout.bits() <= bits || left < exact, what);
          }
        }
      }
    }
  }

  private static double rateOf(long keys, long bits, int slices) {
    return SliceSizing.rate(keys, bits / Long.SIZE / slices, slices);
  }

  // Up to a word a slice is left over.
  @Test
  void takesAtMostAWordASliceMoreThanOneTableAndOneInThousand() {
    for (long keys = 1; keys < 1_000_000_000; keys = keys * 17 / 15 + 1) {
      for (double rate = 0.5; rate > 1e-9; rate *= 0.83) {
        FilterSpec spec = FilterSpec.of(keys, rate);
        TableLayout layout = SliceSizing.smallest(spec);
        long standard = TableLayout.smallest(spec).bits();
        long max = standard + standard / 1000 + layout.probes() * (long) Long.SIZE;
        assertTrue(layout.bits() <= max, () -> spec + ": " + layout + ", against " + standard);
      }
    }
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(longs = {1, 10, 1_000, 1_000_000})
  void lowestRateThatHashesAllowIsKept(long keys) {
    double lowest = FilterSpec.lowestRate(keys);
    TableLayout layout = SliceSizing.smallest(FilterSpec.of(keys, lowest));
    assertTrue(rateOf(keys, layout.bits(), layout.probes()) <= lowest / 2);
  }

  @Test
  void tenBillionKeysFitIntoOneTable() {
    TableLayout layout = SliceSizing.smallest(FilterSpec.of(10_000_000_000L, 0.01));
    assertEquals(9.593, layout.bits() / 1e10, 0.001);
    assertEquals(7, layout.probes());
  }

  @Test
  void sizeBeyondOneTableIsRefusedWithTheBitsNeeded() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> SliceSizing.smallest(FilterSpec.of(1_000_000_000_000L, 0.01)))
            .getMessage();
    assertTrue(message.matches(".* but need 95929\\d{8}; ask for fewer keys .*"), message);
  }
}
