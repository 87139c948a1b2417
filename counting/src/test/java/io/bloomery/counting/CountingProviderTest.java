package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks plans, and how the variant is found. */
class CountingProviderTest {

  private static final CountingProvider PROVIDER = new CountingProvider();

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "1000000, 0.5, 2, 5.28",
    "100000, 0.05, 2, 12.19",
    "100000, 0.01, 4, 20.05",
    "1000000, 0.01, 4, 20.05",
    "5000000000, 0.01, 4, 20.15",
    "1000000, 0.001, 6, 34.84",
    "1000000, 1e-4, 8, 54.38",
    "1000000, 1e-5, 8, 81.32"
  })
  void sizesAreWhatTheDocumentsSay(long keys, double rate, int probes, double bitsPerKey) {
    FilterPlan plan = PROVIDER.plan(FilterSpec.of(keys, rate));
    assertEquals(bitsPerKey, plan.bitsPerKey(), 0.01);
    assertEquals(bitsPerKey, plan.heapBytes() * 8.0 / keys, 0.02 * bitsPerKey);
    assertEquals(probes, plan.probes());
    assertTrue(plan.falsePositiveRate(keys) <= rate);
  }

  @Test
  void aPlanSaysWhatItIs() {
    String text = PROVIDER.plan(FilterSpec.of(1_000, 0.01)).toString();
    assertTrue(
        text.matches(
            "counting for 1000 keys at a rate of 0\\.01: \\d+ bits \\([0-9.]+ a key\\), 4 probes,"
                + " an expected rate of 0\\.00\\d+"),
        text);
  }

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({"1, 0.5", "10, 0.01", "1000, 1e-5", "50000, 0.3"})
  void aFilterIsAsPlanned(long keys, double rate) {
    FilterSpec spec = FilterSpec.of(keys, rate);
    FilterPlan plan = PROVIDER.plan(spec);
    CountingFilter filter = (CountingFilter) PROVIDER.create(spec, ThreadMode.SHARED);
    assertEquals(spec, filter.spec());
    assertEquals(spec, plan.spec());
    assertEquals("counting", filter.variant());
    assertEquals("counting", plan.variant());
    CountingLayout layout = CountingSizing.SMALL.smallest(spec);
    assertEquals(layout.bytesOfBlocks(), filter.payloadSize(), "as long as nothing spills");
    assertEquals(
        Map.of(
            "bits",
            layout.blocks() * 128L,
            "count-bits",
            (long) layout.countBits(),
            "probes",
            (long) plan.probes()),
        filter.layout().toMap());
    assertEquals(layout.bits(), filter.stats().sizeInBits());
  }

  @Test
  void hashesThatCollideAreCountedIn() {
    FilterPlan plan = PROVIDER.plan(FilterSpec.of(1_000_000_000L, 0.01));
    long blocks = CountingSizing.SMALL.smallest(plan.spec()).blocks();
    double inBlocks = Pairs.rotated().sizing(0).pickedByWordProbes(1).rate(1, (double) blocks);
    assertEquals(0x1p-64, plan.falsePositiveRate(1) - inBlocks, 1e-6 * 0x1p-64);
  }

  @Test
  void belowTheLowestRateStandardIsNamedWithItsBits() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> PROVIDER.plan(FilterSpec.of(1_000, 9.99e-6)));
    assertTrue(refused.getMessage().contains("standard"), refused.getMessage());
    assertTrue(refused.getMessage().contains("24 bits a key"), refused.getMessage());
    assertTrue(refused.getMessage().contains("1.0E-5"), refused.getMessage());
    assertEquals(1e-5, PROVIDER.plan(FilterSpec.of(1_000, 1e-5)).falsePositiveRate(1_000), 1e-7);
  }

  @Test
  void moreKeysThanTheBlocksHoldAreRefusedWithWhatTheyCould() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PROVIDER.plan(FilterSpec.of(15_000_000_000L, 0.01)));
    String message = refused.getMessage();
    assertTrue(message.contains("bits, which keep a rate of 0.0"), message);
    double possible =
        Double.parseDouble(message.replaceFirst(".* rate of (0[.0-9]+);.*", "$1")) * 1.001;
    assertTrue(PROVIDER.plan(FilterSpec.of(15_000_000_000L, possible)).bitsPerKey() < 14);
  }

  @Test
  void moreThanTheHeapHoldsIsRefusedBeforeItIsTaken() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PROVIDER.create(FilterSpec.of(5_000_000_000L, 0.01), ThreadMode.SHARED));
    assertTrue(refused.getMessage().contains("bytes"), refused.getMessage());
    assertTrue(refused.getMessage().contains("-Xmx"), refused.getMessage());
  }

  @Test
  void planningByBudgetUsesIt() {
    double keys =
        Bloomery.longs()
            .within(20_050_000 / 8)
            .variant("counting")
            .maxKeys(0.01)
            .spec()
            .expectedKeys();
    assertEquals(1_000_000, keys, 1_000);
    assertEquals(
        0.01,
        Bloomery.longs()
            .within(20_050_000 / 8)
            .variant("counting")
            .lowestFpp(1_000_000)
            .spec()
            .falsePositiveRate(),
        1e-4);
  }

  @Test
  void itIsFoundByName() {
    RemovableBloomFilter<String> filter =
        Bloomery.strings().expect(10_000).fpp(0.001).createRemovable();
    assertTrue(filter.put("session-1"));
    assertTrue(filter.remove("session-1"));
    assertEquals("counting", filter.filter().variant());
  }
}
