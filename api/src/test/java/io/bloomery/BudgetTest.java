package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.spi.BitTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetTest {

  private final Bloomery bloomery = Bloomery.with(new PlainProvider());

  private FilterBuilder<Long> plain(long keys) {
    return bloomery.<Long>keys(KeyHasher.longs()).expect(keys).variant("plain");
  }

  private FilterBudget within(long bytes) {
    return bloomery.keys(KeyHasher.longs()).within(bytes).variant("plain");
  }

  private static String refusal(Executable plan) {
    return assertThrows(IllegalArgumentException.class, plan).getMessage();
  }

  @ParameterizedTest
  @CsvSource({"1000, 1200", "1000000, 1250000", "100, 8", "1, 8", "10000000000, 12000000000"})
  void theLowestRateOfASizeFitsAndALowerOneDoesNot(long keys, long bytes) {
    FilterPlan plan = within(bytes).lowestFpp(keys);
    assertTrue(plan.sizeInBits() <= bytes * Byte.SIZE);
    assertTrue(plan.falsePositiveRate(keys) <= plan.spec().falsePositiveRate());
    double lower = Math.nextDown(plan.spec().falsePositiveRate());
    assertTrue(plain(keys).fpp(lower).plan().sizeInBits() > bytes * Byte.SIZE);
  }

  @ParameterizedTest
  @CsvSource({"0.01, 1200", "0.5, 8", "1e-6, 125000", "1e-9, 17179869120"})
  void theMaxKeysOfASizeFitAndOneMoreDoesNot(double rate, long bytes) {
    FilterPlan plan = within(bytes).maxKeys(rate);
    assertTrue(plan.sizeInBits() <= bytes * Byte.SIZE);
    FilterBuilder<Long> more = plain(plan.spec().expectedKeys() + 1).fpp(rate);
    if (bytes * Byte.SIZE < BitTable.MAX_BITS) {
      assertTrue(more.plan().sizeInBits() > bytes * Byte.SIZE);
    } else {
      assertThrows(IllegalArgumentException.class, more::plan);
    }
  }

  @Test
  void tenBitsAKeyGiveAboutOneInAHundredAndTwenty() {
    FilterPlan plan = within(1_250_000).lowestFpp(1_000_000);
    assertEquals(0.00819, plan.falsePositiveRate(1_000_000), 1e-5);
  }

  @Test
  void aSizeThatHoldsNothingIsRefused() {
    assertTrue(
        refusal(() -> within(7).lowestFpp(5))
            .contains("a filter of variant 'plain' with 7 bytes cannot hold 5 keys"));
    assertTrue(
        refusal(() -> within(1).maxKeys(0.1)).contains("cannot hold one key at a rate of 0.1"));
  }

  @Test
  void aPlanWithinSoManyBytesIsFoundOrRefusedWithWhatTheyGive() {
    FilterBuilder<Long> strict = plain(1_000_000).fpp(0.001);
    assertEquals(strict.plan().sizeInBits(), strict.maxBytes(1_875_000).plan().sizeInBits());
    assertEquals(
        "1000000 keys at a rate of 0.001 must have "
            + strict.plan().sizeInBits() / Byte.SIZE
            + " bytes in a filter of variant 'plain', but 1250000 are allowed; allow more, or a higher rate: so"
            + " many give 0.00819",
        refusal(strict.maxBytes(1_250_000)::plan));
    assertTrue(refusal(strict.maxBytes(1)::plan).endsWith("so many give none"));
  }

  @Test
  void aNumberOutOfItsRangeIsRefused() {
    assertTrue(refusal(() -> within(0)).contains("maxBytes must be at least 1, but was 0"));
    assertTrue(refusal(() -> within(8).lowestFpp(0)).contains("at least 1, but was 0"));
    assertTrue(refusal(() -> within(8).maxKeys(1)).contains("1.0"));
    assertTrue(refusal(() -> within(8).variant("none")).contains("none"));
  }

  @Test
  void aPlanIsWhatIsBuilt() {
    FilterSpec spec = FilterSpec.of(1_000, 0.001);
    FilterPlan plan = bloomery.providers().get("plain").plan(spec);
    Filter filter = bloomery.providers().get("plain").create(spec, ThreadMode.CONFINED);
    assertEquals(plan.sizeInBits(), filter.stats().sizeInBits());
    assertEquals(plan.probes(), filter.layout().get("probes"));
    assertEquals(plan.sizeInBits() / 1000.0, plan.bitsPerKey());
    assertEquals("plain", plan.variant());
    assertEquals(spec, plan.spec());
    assertTrue(plan.falsePositiveRate(2_000) > 5 * plan.falsePositiveRate(1_000));
    assertEquals(0, plan.falsePositiveRate(0));
    assertEquals(1, plan.falsePositiveRate(Long.MAX_VALUE));
  }
}
