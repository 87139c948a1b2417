package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Checks the rules; OverfullTest of the conformance tests has our variants. */
class FilterStatsTest {

  private static final FilterSpec SPEC = FilterSpec.of(10_000, 0.01);

  private static FilterStats.Builder stats(double rate, long keys) {
    return FilterStats.of(SPEC)
        .sizeInBits(1_000)
        .setBits(600)
        .falsePositiveRate(rate)
        .approximateKeys(keys);
  }

  /** Of so many bits that the estimate is as good as one root of the keys. */
  private static FilterStats.Builder large(long keys) {
    return stats(0.011, keys).sizeInBits(100_000).setBits(53_000);
  }

  /** Four errors are 1,160 keys: an error is 11,000 / 0.916 * sqrt((e^0.916 - 1.916) / 1,000). */
  @Test
  void fewBitsAllowALargerError() {
    assertFalse(stats(0.011, 11_000).build().isOverfull());
    assertTrue(stats(0.011, 12_000).build().isOverfull());
  }

  @Test
  void aFilterIsOverfullAboveFourRootsOfItsKeysAndItsRate() {
    assertFalse(large(10_400).build().isOverfull());
    assertTrue(large(10_401).build().isOverfull());
    assertFalse(large(10_401).falsePositiveRate(0.01).build().isOverfull(), "the rate is kept");
    assertFalse(large(20_000).grows().build().isOverfull());
  }

  @Test
  void aFullFilterIsOverfullByNobodyKnowsHowMuch() {
    FilterStats full = stats(1, 0).setBits(1_000).approximateKeys(OptionalLong.empty()).build();
    assertTrue(full.isOverfull());
    assertEquals(OptionalLong.empty(), full.excessKeys());
    assertEquals(
        "1000 of 1000 bits set, too many keys, a rate of 1.0, overfull: made for 10000 keys at"
            + " 0.01",
        full.toString());
  }

  @Test
  void theExcessIsWhatIsAboveTheExpected() {
    assertEquals(OptionalLong.of(0), stats(0.01, 9_999).build().excessKeys());
    assertEquals(OptionalLong.of(0), stats(0.01, 10_000).build().excessKeys());
    assertEquals(OptionalLong.of(1), stats(0.01, 10_001).build().excessKeys());
    assertEquals(OptionalLong.of(0), stats(0.01, 20_000).grows().build().excessKeys());
  }

  @Test
  void statisticsAreEqualByAllTheirNumbers() {
    FilterStats stats = stats(0.01, 9).build();
    assertEquals(stats, stats(0.01, 9).build());
    assertEquals(stats.hashCode(), stats(0.01, 9).build().hashCode());
    List<FilterStats> others =
        List.of(
            stats(0.02, 9).build(),
            stats(0.01, 8).build(),
            stats(0.01, 9).sizeInBits(1_001).build(),
            stats(0.01, 9).setBits(601).build(),
            stats(0.01, 9).grows().build(),
            stats(0.01, 9).approximateKeys(OptionalLong.empty()).build(),
            FilterStats.of(FilterSpec.of(9_999, 0.01))
                .sizeInBits(1_000)
                .setBits(600)
                .falsePositiveRate(0.01)
                .approximateKeys(9)
                .build());
    for (FilterStats other : others) {
      assertNotEquals(stats, other);
    }
    assertNotEquals(stats, SPEC);
  }

  @Test
  void aBuilderOfStatisticsBeginsWithThemAndLeavesThemAlone() {
    FilterStats stats = stats(0.02, 20_000).grows().build();
    assertEquals(stats, stats.toBuilder().build());
    FilterStats other = stats.toBuilder().setBits(7).build();
    assertEquals(7, other.setBits());
    assertEquals(600, stats.setBits());
    assertFalse(other.isOverfull(), "it still grows");
  }

  @Test
  void theyAreSaidInWords() {
    assertEquals(
        "600 of 1000 bits set, about 9 keys, a rate of 0.01", stats(0.01, 9).build().toString());
    assertEquals(0.6, stats(0.01, 9).build().fill());
    assertEquals(10_000, stats(0.01, 9).build().expectedKeys());
  }
}
