package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.Sizing;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableLayoutTest {

  @Test
  void aLayoutComesBackFromItsNumbers() {
    TableLayout layout = TableLayout.ofBits(BitTable.MAX_BITS).withProbes(64);
    assertEquals(layout, TableLayout.of(layout.toLayout()));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 65, (1L << 32) + 7, Long.MAX_VALUE})
  void probesOutOfRangeAreRefusedHoweverLarge(long probes) {
    assertThrows(
        IllegalArgumentException.class,
        () -> TableLayout.of(FilterLayout.of("bits", 64).with("probes", probes)));
  }

  @Test
  void otherNumbersAreRefused() {
    for (FilterLayout numbers :
        List.of(
            FilterLayout.EMPTY,
            FilterLayout.of("bits", 64),
            FilterLayout.of("bits", 64).with("probes", 3).with("blocks", 1))) {
      assertThrows(IllegalArgumentException.class, () -> TableLayout.of(numbers));
    }
  }

  @Test
  void furtherNumbersAreCarriedAndMustBeNamed() {
    TableLayout layout = TableLayout.ofBits(1_024).withProbes(3).with("block-bits", 512);
    assertEquals(512, layout.get("block-bits"));
    assertEquals(layout, TableLayout.of(layout.toLayout(), Set.of("block-bits")));
    assertEquals("{bits=1024, block-bits=512, probes=3}", layout.toString());
    assertThrows(IllegalArgumentException.class, () -> TableLayout.of(layout.toLayout()));
    assertThrows(
        IllegalArgumentException.class,
        () -> TableLayout.of(layout.toLayout(), Set.of("block-bits", "blocks")));
    assertThrows(IllegalArgumentException.class, () -> layout.get("blocks"));
  }

  @Test
  void aTableThatIsNotOfItsLayoutIsRefused() {
    TableProvider provider = new PlainProvider();
    TableLayout layout = TableLayout.ofBits(128);
    BitTable table = new BitTable(64, ThreadMode.CONFINED);
    FilterSpec spec = FilterSpec.of(1, 0.5);
    assertThrows(IllegalArgumentException.class, () -> provider.wrap(spec, layout, table));
  }

  @Test
  void numbersOutOfRangeAreRefusedUnderWhateverMethod() {
    TableLayout layout = TableLayout.ofBits(64);
    assertEquals(1, layout.probes());
    for (Executable call :
        List.<Executable>of(
            () -> TableLayout.ofBits(7),
            () -> layout.withProbes(65),
            () -> layout.with("bits", 65),
            () -> layout.with("probes", 0))) {
      assertThrows(IllegalArgumentException.class, call);
    }
  }

  /** Sizing stops at the first number of probes that needs more bits; none after it needs fewer. */
  @Test
  void noNumberOfProbesIsPassedOver() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20_000; i++) {
      long keys = (long) StrictMath.pow(1e10, random.nextDouble());
      double rate =
          Math.max(
              StrictMath.pow(1e-15, random.nextDouble()) * 0.999_999, FilterSpec.lowestRate(keys));
      long least = Long.MAX_VALUE;
      for (int probes = 1; probes <= TableLayout.MAX_PROBES; probes++) {
        double kept = rate - Sizing.collisionRate(keys);
        least = Math.min(least, Sizing.wordsNeeded(keys, kept, probes));
      }
      if (least <= Sizing.MAX_BITS / Long.SIZE) {
        FilterSpec spec = FilterSpec.of(keys, rate);
        assertEquals(least * Long.SIZE, TableLayout.smallest(spec).bits(), spec::toString);
      }
    }
  }
}
