package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.spi.BitTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetTest {

  private final Bloomery bloomery = Bloomery.with(new PlainProvider());

  @ParameterizedTest
  @CsvSource({"1000, 9600", "1000000, 10000000", "100, 64", "1, 64", "10000000000, 96000000000"})
  void theLowestRateOfASizeFitsAndALowerOneDoesNot(long keys, long bits) {
    FilterPlan plan = bloomery.planLowestRate("plain", keys, bits);
    assertTrue(plan.sizeInBits() <= bits);
    assertTrue(plan.falsePositiveRate(keys) <= plan.spec().falsePositiveRate());
    FilterSpec lower = new FilterSpec(keys, Math.nextDown(plan.spec().falsePositiveRate()));
    assertTrue(bloomery.plan("plain", lower).sizeInBits() > bits);
  }

  @ParameterizedTest
  @CsvSource({"0.01, 9600", "0.5, 64", "1e-6, 1000000", "1e-9, 137438952960"})
  void theMaxKeysOfASizeFitAndOneMoreDoesNot(double rate, long bits) {
    FilterPlan plan = bloomery.planMaxKeys("plain", rate, bits);
    assertTrue(plan.sizeInBits() <= bits);
    FilterSpec more = new FilterSpec(plan.spec().expectedKeys() + 1, rate);
    if (bits < BitTable.MAX_BITS) {
      assertTrue(bloomery.plan("plain", more).sizeInBits() > bits);
    } else {
      assertThrows(IllegalArgumentException.class, () -> bloomery.plan("plain", more));
    }
  }

  @Test
  void tenBitsAKeyGiveAboutOneInAHundredAndTwenty() {
    assertEquals(
        0.00819,
        bloomery.planLowestRate("plain", 1_000_000, 10_000_000).falsePositiveRate(1_000_000),
        1e-5);
  }

  @Test
  void aSizeThatHoldsNothingIsRefused() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> bloomery.planLowestRate("plain", 5, 63))
            .getMessage()
            .contains("a plain filter of 63 bits cannot hold 5 keys"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> bloomery.planMaxKeys("plain", 0.1, 0))
            .getMessage()
            .contains("cannot hold one key at a rate of 0.1"));
    assertThrows(IllegalArgumentException.class, () -> bloomery.planLowestRate("plain", 0, 640));
    assertThrows(
        IllegalArgumentException.class, () -> bloomery.planMaxKeys("plain", Double.NaN, 640));
  }

  @Test
  void aPlanWithinSoManyBitsAKeyIsFoundOrRefusedWithWhatTheyGive() {
    FilterSpec spec = new FilterSpec(1_000_000, 0.001);
    FilterPlan plan = bloomery.plan("plain", spec, 15);
    assertEquals(bloomery.plan("plain", spec).sizeInBits(), plan.sizeInBits());
    assertEquals(
        "1000000 keys at a rate of 0.001 must have 14.38 bits each in a plain filter, but 10.0 are"
            + " allowed; allow more, or a higher rate: so many give 0.00819",
        assertThrows(IllegalArgumentException.class, () -> bloomery.plan("plain", spec, 10))
            .getMessage());
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> bloomery.plan("plain", spec, 1e-6))
            .getMessage()
            .endsWith("so many give none"));
    assertThrows(IllegalArgumentException.class, () -> bloomery.plan("plain", spec, Double.NaN));
  }

  @Test
  void aPlanIsWhatIsBuilt() {
    FilterSpec spec = new FilterSpec(1_000, 0.001);
    FilterPlan plan = bloomery.plan("plain", spec);
    Filter filter = bloomery.provider("plain").create(spec, ThreadMode.CONFINED);
    assertEquals(plan.sizeInBits(), filter.stats().sizeInBits());
    assertEquals((long) plan.probes(), filter.layout().get("probes"));
    assertEquals(plan.sizeInBits() / 1000.0, plan.bitsPerKey());
    assertEquals("plain", plan.variant());
    assertEquals(spec, plan.spec());
    assertTrue(plan.falsePositiveRate(2_000) > 5 * plan.falsePositiveRate(1_000));
    assertEquals(0, plan.falsePositiveRate(0));
    assertEquals(1, plan.falsePositiveRate(Long.MAX_VALUE));
  }
}
