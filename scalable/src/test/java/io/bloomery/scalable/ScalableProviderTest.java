package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Checks the provider and its parameters. */
class ScalableProviderTest {

  private final ScalableProvider provider = new ScalableProvider();
  private final FilterSpec spec = FilterSpec.of(1_000, 0.01);

  private static void refuses(String reason, Executable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call);
    assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
  }

  @Test
  void itIsFoundByName() {
    assertInstanceOf(ScalableProvider.class, Bloomery.installed().providers().get("scalable"));
  }

  @Test
  void aPlanSaysWhatItIs() {
    assertTrue(
        provider
            .plan(spec)
            .toString()
            .matches(
                "scalable for 1000 keys at a rate of 0\\.01: \\d+ bits \\([0-9.]+ a key\\), \\d+"
                    + " probes, an expected rate of 0\\.00\\d+"),
        provider.plan(spec)::toString);
  }

  @Test
  void theLayoutShowsTheParameters() {
    assertEquals(
        Map.of(
            "first-layer-keys", 1_000L,
            "growth", 2L,
            "tightening-ppm", 850_000L,
            "max-layers", 64L,
            "max-bytes", Long.MAX_VALUE),
        provider.create(spec, ThreadMode.SHARED).layout().toMap());
    assertEquals(
        Map.of(
            "first-layer-keys", 50L,
            "growth", 4L,
            "tightening-ppm", 900_000L,
            "max-layers", 7L,
            "max-bytes", 1_000_000L),
        provider
            .withFirstLayer(50)
            .withGrowth(4)
            .withTightening(0.9)
            .withMaxLayers(7)
            .withMaxBytes(1_000_000)
            .create(spec, ThreadMode.SHARED)
            .layout()
            .toMap());
  }

  @Test
  void parametersOutOfRangeAreRefused() {
    refuses(
        "keys of the first layer must be at least 1, but was 0", () -> provider.withFirstLayer(0));
    refuses("growth must be from 2 to 16, but was 1", () -> provider.withGrowth(1));
    refuses("growth must be from 2 to 16, but was 17", () -> provider.withGrowth(17));
    refuses("tightening must be from 0.5 to 0.99, but was 1.0", () -> provider.withTightening(1));
    refuses("but was 0.49", () -> provider.withTightening(0.49));
    refuses("but was NaN", () -> provider.withTightening(Double.NaN));
    refuses("max layers must be from 1 to 64, but was 0", () -> provider.withMaxLayers(0));
    refuses("max layers must be from 1 to 64, but was 65", () -> provider.withMaxLayers(65));
    refuses("max bytes must be at least 8, but was 7", () -> provider.withMaxBytes(7));
  }

  @Test
  void aFirstLayerThatCannotBeIsRefusedBeforeAnythingIsBuilt() {
    refuses("max bytes must be at least the", () -> provider.withMaxBytes(1_000).plan(spec));
    refuses(
        "the first layer of a scalable filter keeps a part of the rate asked",
        () -> provider.plan(FilterSpec.of(1L << 40, 2e-7)));
    refuses(
        "must fit into one table",
        () -> provider.create(FilterSpec.of(1L << 40, 0.01), ThreadMode.SHARED));
  }

  @Test
  void thePlanIsThatOfTheFirstLayer() {
    FilterPlan plan = provider.plan(spec);
    assertEquals("scalable", plan.variant());
    assertEquals(spec, plan.spec());
    assertEquals(8, plan.probes());
    assertEquals(
        plan.sizeInBits(), provider.create(spec, ThreadMode.CONFINED).stats().sizeInBits());
    assertTrue(plan.bitsPerKey() > 15 && plan.bitsPerKey() < 16.1);
    assertEquals(
        provider.plan(FilterSpec.of(50, 0.01)).sizeInBits(),
        provider.withFirstLayer(50).plan(spec).sizeInBits());
  }

  @Test
  void aBuilderTakesItWithItsParameters() {
    BloomFilter<CharSequence> seen =
        Bloomery.installed()
            .keys(KeyHasher.strings())
            .expect(10)
            .variant(provider.withGrowth(4))
            .create();
    for (int i = 0; i < 1_000; i++) {
      seen.put("key " + i);
    }
    assertEquals(4, seen.filter().layout().get("growth"));
    assertEquals(5, PayloadBuffer.keys(seen.filter()).length);
    assertTrue(
        seen.incompatibility(seen).orElseThrow().contains("put the keys of one into the other"));
  }
}
