package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedGroup;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import io.bloomery.standard.StandardProvider;
import java.math.BigInteger;
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

/** Checks the sizes and rates of layers. */
class LayerPlanTest {

  private static LayerPlan layerPlan(long keys, double rate, int growth, double tightening) {
    FilterSpec spec = FilterSpec.of(keys, rate);
    return ((ScalablePlan)
            new ScalableProvider().withGrowth(growth).withTightening(tightening).plan(spec))
        .layerPlan();
  }

  @Property(tries = 200, seed = "7", shrinking = ShrinkingMode.BOUNDED)
  void allLayersTogetherStayBelowTheRateAsked(
      @ForAll @DoubleRange(min = 0.1, max = 0.99) double leading,
      @ForAll @IntRange(min = 0, max = 9) int decades,
      @ForAll @IntRange(min = 2, max = 16) int growth,
      @ForAll @DoubleRange(min = 0.5, max = 0.99) double tightening) {
    double rate = leading * Math.pow(10, -decades);
    LayerPlan layerPlan = layerPlan(1, rate, growth, tightening);
    double sum = 0;
    for (int i = 0; i < ScalableLayout.MAX_LAYERS; i++) {
      sum += layerPlan.rate(i);
      assertTrue(sum < rate * (1 + 1e-12), sum + " exceeds " + rate + " at layer " + i);
    }
    double left = rate * Math.pow(layerPlan.layout().tightening() / 1e6, 64);
    assertEquals(1, (sum + left) / rate, 1e-12, "nothing of the rate is wasted");
  }

  @Test
  void aLayerHasNoMoreKeysThanANumberCanSay() {
    assertEquals(Long.MAX_VALUE - 1, keysOfSecond(Long.MAX_VALUE / 2, 2));
    assertEquals(Long.MAX_VALUE - 7, keysOfSecond(Long.MAX_VALUE / 8, 8));
    assertEquals(Long.MAX_VALUE, keysOfSecond(Long.MAX_VALUE / 2 + 1, 2));
  }

  private static long keysOfSecond(long first, int growth) {
    ScalableLayout layout = new ScalableLayout(first, growth, 850_000, 64, Long.MAX_VALUE);
    return new LayerPlan(FilterSpec.of(1, 0.1), layout).keys(1);
  }

  @ParameterizedTest
  @CsvSource({"100, 2", "1, 16", "7, 3"})
  void theRoomOfLayersIsThatOfAllOfThem(long keys, int growth) {
    LayerPlan layerPlan = layerPlan(keys, 0.01, growth, 0.85);
    BigInteger sum = BigInteger.ZERO;
    for (int layers = 0; layers <= ScalableLayout.MAX_LAYERS; layers++) {
      long room = layerPlan.description(FilterDescription.NONE, layers).parts().get("room-keys");
      assertEquals(sum.min(BigInteger.valueOf(Long.MAX_VALUE)), BigInteger.valueOf(room));
      sum = sum.add(BigInteger.valueOf(keys).multiply(BigInteger.valueOf(growth).pow(layers)));
    }
  }

  @Test
  void thePlannedRateIsThatOfTheLayersThatTheLimitsAllow() {
    FilterSpec spec = FilterSpec.of(100, 0.01);
    LayerPlan layerPlan = layerPlan(100, 0.01, 3, 0.85);
    double[] rates = new double[4]; // of so many full layers
    long[] keys = new long[4];
    long[] bytes = new long[4];
    for (int i = 0; i < 3; i++) {
      FilterPlan layer = layerPlan.plan(i);
      double full = layer.falsePositiveRate(layer.spec().expectedKeys());
      rates[i + 1] = 1 - (1 - rates[i]) * (1 - full);
      keys[i + 1] = keys[i] + layerPlan.keys(i);
      bytes[i + 1] = bytes[i] + layer.sizeInBits() / 8;
    }
    ScalableProvider provider = new ScalableProvider().withGrowth(3).withTightening(0.85);
    for (int layers = 1; layers <= 3; layers++) {
      for (ScalableProvider limited :
          List.of(
              provider.withMaxLayers(layers),
              provider.withMaxBytes(bytes[layers]),
              provider.withMaxBytes(bytes[layers] + bytes[1]))) {
        FilterPlan plan = limited.plan(spec);
        assertEquals(rates[layers], plan.falsePositiveRate(2 * keys[layers] + 1_000), 1e-12);
        assertEquals(rates[layers], plan.falsePositiveRate(1L << 50), 1e-12);
      }
      double before = rates[layers - 1];
      for (long more : new long[] {1, layerPlan.keys(layers - 1)}) {
        double last = layerPlan.plan(layers - 1).falsePositiveRate(more);
        assertEquals(
            1 - (1 - before) * (1 - last),
            provider.plan(spec).falsePositiveRate(keys[layers - 1] + more),
            1e-12);
      }
    }
  }

  @Test
  void aFirstLayerThatNeedsMoreBytesThanThereMayBeIsRefusedWithTheirNumber() {
    FilterSpec spec = FilterSpec.of(100, 0.01);
    long bytes = new ScalableProvider().plan(spec).sizeInBits() / 8;
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new ScalableProvider().withMaxBytes(bytes - 1).plan(spec))
            .getMessage();
    assertTrue(message.contains("at least the " + bytes + " of the first layer"), message);
  }

  @Test
  void aLayerOfTheLowestRateOfBlocksIsBlocked() {
    assertEquals(2e-4, layerPlan(10, 4e-4, 2, 0.5).rate(0));
    assertInstanceOf(BlockedProvider.class, layerPlan(10, 4e-4, 2, 0.5).provider(0));
    assertInstanceOf(
        StandardProvider.class, layerPlan(10, Math.nextDown(4e-4), 2, 0.5).provider(0));
  }

  @Test
  void eachLayerTakesAsManyTimesTheKeysAsTheGrowthSays() {
    LayerPlan layerPlan = layerPlan(100, 0.01, 4, 0.85);
    assertEquals(100, layerPlan.keys(0));
    assertEquals(400, layerPlan.keys(1));
    assertEquals(100L << 20, layerPlan.keys(10));
    assertEquals(Long.MAX_VALUE, layerPlan.keys(40));
    assertEquals(Long.MAX_VALUE, layerPlan(1, 0.5, 16, 0.5).keys(63));
  }

  @Test
  void looseLayersAreBlockedAndStrictOnesStandard() {
    LayerPlan layerPlan = layerPlan(100, 0.01, 2, 0.85);
    assertEquals(0.0015, layerPlan.rate(0), 1e-15);
    assertInstanceOf(BlockedProvider.class, layerPlan.provider(0));
    assertInstanceOf(BlockedProvider.class, layerPlan.provider(12));
    assertTrue(layerPlan.rate(12) >= 2e-4 && layerPlan.rate(13) < 2e-4);
    assertEquals("standard", layerPlan.provider(13).variant());
    assertEquals("standard", layerPlan(100, 0.001, 2, 0.85).provider(0).variant());
  }

  /**
   * The exact rate of a standard layer at the moment it is full, from the distribution of its set
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
  void aStandardLayerKeepsItsRateWhenAsManyKeysAsPlannedHaveChangedIt(long keys, double rate) {
    LayerPlan layerPlan = layerPlan(keys, rate, 2, 0.85);
    TableLayout layout =
        TableLayout.of(
            new StandardProvider().create(layerPlan.spec(0), ThreadMode.CONFINED).layout());
    double reached = rateWhenFull(layout, keys);
    assertTrue(reached <= layerPlan.rate(0), () -> reached + " exceeds " + layerPlan.rate(0));
  }

  @Test
  void aTableForTheKeysThatChangeItWouldNotDo() {
    LayerPlan layerPlan = layerPlan(700, 0.9, 2, 0.5);
    FilterSpec counted = FilterSpec.of(700, layerPlan.rate(0));
    TableLayout layout =
        TableLayout.of(new StandardProvider().create(counted, ThreadMode.CONFINED).layout());
    double reached = rateWhenFull(layout, 700);
    assertTrue(reached > 1.05 * layerPlan.rate(0), () -> "only " + reached);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.9", "10, 0.9", "100, 0.9", "10, 0.3", "100, 0.3", "100, 0.01", "2000, 0.01"})
  void aBlockedLayerKeepsItsRateWhenAsManyKeysAsPlannedHaveChangedIt(long keys, double rate) {
    LayerPlan layerPlan = layerPlan(keys, rate, 2, 0.85);
    assertInstanceOf(BlockedProvider.class, layerPlan.provider(0));
    SplittableRandom random = new SplittableRandom(11);
    int filters = 500;
    int probes = 2_000;
    long hits = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter = layerPlan.provider(0).create(layerPlan.spec(0), ThreadMode.CONFINED);
      Layer layer = new Layer(filter, layerPlan.keys(0), 0);
      while (!layer.isFull()) {
        layer.putConfined(random.nextLong());
      }
      for (int j = 0; j < probes; j++) {
        hits += filter.mightContain(random.nextLong()) ? 1 : 0;
      }
    }
    Tail.notAbove(layerPlan.rate(0), hits, (long) filters * probes);
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
