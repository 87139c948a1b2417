package io.bloomery.counting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks plans, and how the variant is found. */
class CountingProviderTest {

  private static final CountingProvider PROVIDER = new CountingProvider();

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({
    "100000, 0.05, 4, 19.59",
    "100000, 0.01, 4, 34.36",
    "1000000, 0.01, 4, 34.36",
    "5000000000, 0.01, 4, 34.55",
    "1000000, 0.009, 6, 33.57",
    "1000000, 0.001, 6, 59.70",
    "1000000, 0.0009, 8, 58.56",
    "1000000, 1e-6, 8, 286.88"
  })
  void sizesAreWhatTheDocumentsSay(long keys, double rate, int probes, double bitsPerKey) {
    FilterPlan plan = PROVIDER.plan(new FilterSpec(keys, rate));
    assertEquals(bitsPerKey, plan.bitsPerKey(), 0.01);
    assertEquals(probes, plan.probes());
    assertTrue(plan.falsePositiveRate(keys) <= rate);
    assertTrue(plan.falsePositiveRate(keys) > 0.99 * rate, "no larger than it must be");
  }

  @ParameterizedTest(name = "{0} keys at {1}")
  @CsvSource({"1, 0.5", "10, 0.01", "1000, 1e-6", "50000, 0.3"})
  void aFilterIsAsPlanned(long keys, double rate) {
    FilterSpec spec = new FilterSpec(keys, rate);
    FilterPlan plan = PROVIDER.plan(spec);
    CountingFilter filter = (CountingFilter) PROVIDER.create(spec, ThreadMode.SHARED);
    assertEquals(spec, filter.spec());
    assertEquals(spec, plan.spec());
    assertEquals("counting", filter.variant());
    assertEquals("counting", plan.variant());
    assertEquals(plan.sizeInBits(), filter.payloadSize() * Byte.SIZE);
    assertEquals(
        Map.of("bits", plan.sizeInBits() / 3, "planes", 3L, "probes", (long) plan.probes()),
        filter.layout());
    assertEquals(plan.sizeInBits() / 3, filter.stats().sizeInBits());
  }

  @Test
  void hashesThatCollideAreCountedIn() {
    FilterPlan plan = PROVIDER.plan(new FilterSpec(1_000_000_000L, 0.01));
    long blocks = plan.sizeInBits() / 3 / 128;
    double inBlocks = Pairs.rotated().sizing(0).pickedByWordProbes(1).rate(1, (double) blocks);
    assertEquals(0x1p-64, plan.falsePositiveRate(1) - inBlocks, 1e-6 * 0x1p-64);
  }

  @Test
  void belowOneInAMillionStandardIsNamed() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> PROVIDER.plan(new FilterSpec(1_000, 9.99e-7)));
    assertTrue(refused.getMessage().contains("standard"), refused.getMessage());
    assertTrue(refused.getMessage().contains("1.0E-6"), refused.getMessage());
    assertEquals(1e-6, PROVIDER.plan(new FilterSpec(1_000, 1e-6)).falsePositiveRate(1_000), 1e-8);
  }

  @Test
  void moreKeysThanAPlaneHoldsAreRefusedWithWhatItCould() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PROVIDER.plan(new FilterSpec(10_000_000_000L, 0.01)));
    assertTrue(refused.getMessage().contains("68719476480 bits"), refused.getMessage());
    assertTrue(refused.getMessage().contains("0.0443"), refused.getMessage());
    assertTrue(PROVIDER.plan(new FilterSpec(10_000_000_000L, 0.0444)).bitsPerKey() < 21);
  }

  @Test
  void moreThanTheHeapHoldsIsRefusedBeforeItIsTaken() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PROVIDER.create(new FilterSpec(5_000_000_000L, 0.01), ThreadMode.SHARED));
    assertTrue(refused.getMessage().contains("bytes"), refused.getMessage());
    assertTrue(refused.getMessage().contains("-Xmx"), refused.getMessage());
  }

  @Test
  void planningByBudgetUsesIt() {
    Bloomery bloomery = Bloomery.with(PROVIDER);
    double keys = bloomery.planMaxKeys("counting", 0.01, 34_360_000).spec().expectedKeys();
    assertEquals(1_000_000, keys, 1_000);
    assertEquals(
        0.00825, // of six probes: four give 0.01
        bloomery.planLowestRate("counting", 1_000_000, 34_360_000).spec().falsePositiveRate(),
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

  @Test
  void theModuleAndTheServicesFileNameTheSameProvider() throws IOException {
    List<String> named;
    try (InputStream services = resource("/META-INF/services/" + FilterProvider.class.getName())) {
      named = new String(services.readAllBytes(), UTF_8).lines().toList();
    }
    try (InputStream descriptor = resource("/module-info.class")) {
      ModuleDescriptor module = ModuleDescriptor.read(descriptor);
      assertEquals(1, module.provides().size());
      ModuleDescriptor.Provides provides = module.provides().iterator().next();
      assertEquals(FilterProvider.class.getName(), provides.service());
      assertEquals(named, provides.providers());
    }
    assertEquals(List.of(CountingProvider.class.getName()), named);
  }

  private static InputStream resource(String name) {
    return CountingProvider.class.getResourceAsStream(name);
  }
}
