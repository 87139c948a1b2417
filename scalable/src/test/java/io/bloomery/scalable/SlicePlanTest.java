package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedGroup;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import io.bloomery.standard.StandardProvider;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the sizes and rates of slices. */
class SlicePlanTest {

  private static SlicePlan slicePlan(long keys, double rate, int growth, double tightening) {
    FilterSpec spec = FilterSpec.of(keys, rate);
    return ((ScalablePlan)
            new ScalableProvider().withGrowth(growth).withTightening(tightening).plan(spec))
        .slicePlan();
  }

  @Property(tries = 200, seed = "7", shrinking = ShrinkingMode.BOUNDED)
  void allSlicesTogetherStayBelowTheRateAsked(
      @ForAll @DoubleRange(min = 0.1, max = 0.99) double leading,
      @ForAll @IntRange(min = 0, max = 9) int decades,
      @ForAll @IntRange(min = 2, max = 16) int growth,
      @ForAll @DoubleRange(min = 0.5, max = 0.99) double tightening) {
    double rate = leading * Math.pow(10, -decades);
    SlicePlan slicePlan = slicePlan(1, rate, growth, tightening);
    double sum = 0;
    for (int i = 0; i < ScalableLayout.MAX_SLICES; i++) {
      sum += slicePlan.rate(i);
      assertTrue(sum < rate * (1 + 1e-12), sum + " exceeds " + rate + " at slice " + i);
    }
    double left = rate * Math.pow(slicePlan.layout().tightening() / 1e6, 64);
    assertEquals(1, (sum + left) / rate, 1e-12, "nothing of the rate is wasted");
  }

  @Test
  void eachSliceTakesAsManyTimesTheKeysAsTheGrowthSays() {
    SlicePlan slicePlan = slicePlan(100, 0.01, 4, 0.85);
    assertEquals(100, slicePlan.keys(0));
    assertEquals(400, slicePlan.keys(1));
    assertEquals(100L << 20, slicePlan.keys(10));
    assertEquals(Long.MAX_VALUE, slicePlan.keys(40));
    assertEquals(Long.MAX_VALUE, slicePlan(1, 0.5, 16, 0.5).keys(63));
  }

  @Test
  void looseSlicesAreBlockedAndStrictOnesStandard() {
    SlicePlan slicePlan = slicePlan(100, 0.01, 2, 0.85);
    assertEquals(0.0015, slicePlan.rate(0), 1e-15);
    assertInstanceOf(BlockedProvider.class, slicePlan.provider(0));
    assertInstanceOf(BlockedProvider.class, slicePlan.provider(12));
    assertTrue(slicePlan.rate(12) >= 2e-4 && slicePlan.rate(13) < 2e-4);
    assertEquals("standard", slicePlan.provider(13).variant());
    assertEquals("standard", slicePlan(100, 0.001, 2, 0.85).provider(0).variant());
  }

  /**
   * The exact rate of a standard slice at the moment it is full, from the distribution of its set
   * bits: they form a Markov chain whose steps are the keys that change it, each of which sets at
   * least one of the bits left.
   */
  private static double rateWhenFull(TableLayout layout, long changes) {
    int bits = (int) layout.bits();
    int probes = layout.probes();
    double[] share = new double[bits + 1];
    share[0] = 1;
    for (int key = 0; key < changes; key++) {
      // A row for each number of probes made so far, with how many bits they have set.
      double[] next = new double[bits + 1];
      int max = (int) Math.min(bits, (key + 1L) * probes);
      for (int set = 0; set <= Math.min(max, bits - 1); set++) {
        if (share[set] > 1e-18) {
          double[] added = new double[probes + 1];
          added[0] = 1;
          for (int probe = 0; probe < probes; probe++) {
            for (int j = probe; j >= 0; j--) {
              double fill = Math.min(1, (double) (set + j) / bits);
              added[j + 1] += added[j] * (1 - fill);
              added[j] *= fill;
            }
          }
          for (int j = 1; j <= probes && set + j <= bits; j++) {
            next[set + j] += share[set] * added[j] / (1 - added[0]);
          }
        }
      }
      share = next;
    }
    double rate = 0;
    for (int set = 0; set <= bits; set++) {
      rate += share[set] * Math.pow((double) set / bits, probes);
    }
    return rate;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.9",
    "2, 0.9",
    "10, 0.9",
    "100, 0.9",
    "1, 0.3",
    "2, 0.3",
    "10, 0.3",
    "100, 0.3",
    "700, 0.3",
    "1, 0.006",
    "2, 0.006",
    "10, 0.006",
    "100, 0.006",
    "300, 0.006",
    "10, 1e-5",
    "100, 1e-5"
  })
  void aStandardSliceKeepsItsRateWhenAsManyKeysAsPlannedHaveChangedIt(long keys, double rate) {
    SlicePlan slicePlan = slicePlan(keys, rate, 2, 0.85);
    TableLayout layout =
        TableLayout.of(
            new StandardProvider().create(slicePlan.spec(0), ThreadMode.CONFINED).layout());
    double reached = rateWhenFull(layout, keys);
    assertTrue(reached <= slicePlan.rate(0), () -> reached + " exceeds " + slicePlan.rate(0));
  }

  @Test
  void aTableForTheKeysThatChangeItWouldNotDo() {
    SlicePlan slicePlan = slicePlan(700, 0.9, 2, 0.5);
    FilterSpec counted = FilterSpec.of(700, slicePlan.rate(0));
    TableLayout layout =
        TableLayout.of(new StandardProvider().create(counted, ThreadMode.CONFINED).layout());
    double reached = rateWhenFull(layout, 700);
    assertTrue(reached > 1.05 * slicePlan.rate(0), () -> "only " + reached);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.9", "10, 0.9", "100, 0.9", "10, 0.3", "100, 0.3", "100, 0.01", "2000, 0.01"})
  void aBlockedSliceKeepsItsRateWhenAsManyKeysAsPlannedHaveChangedIt(long keys, double rate) {
    SlicePlan slicePlan = slicePlan(keys, rate, 2, 0.85);
    assertInstanceOf(BlockedProvider.class, slicePlan.provider(0));
    SplittableRandom random = new SplittableRandom(11);
    int filters = 500;
    int probes = 2_000;
    long hits = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter = slicePlan.provider(0).create(slicePlan.spec(0), ThreadMode.CONFINED);
      Slice slice = new Slice(filter, slicePlan.keys(0), 0);
      while (!slice.isFull()) {
        slice.putConfined(random.nextLong());
      }
      for (int j = 0; j < probes; j++) {
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
    }
    Tail.notAbove(slicePlan.rate(0), hits, (long) filters * probes);
  }

  @Test
  void aGroupOfBlockedFiltersTakesNoOther() {
    Filter other = new StandardProvider().create(FilterSpec.of(1, 0.1), ThreadMode.SHARED);
    String reason =
        assertThrows(IllegalArgumentException.class, () -> new BlockedGroup(List.of(other)))
            .getMessage();
    assertEquals("a group is of blocked filters, but one was standard", reason);
  }
}
