package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterStats;
import java.util.Locale;
import java.util.OptionalLong;

/** What a filter says of its content. */
final class StatisticsRules extends Topic {

  StatisticsRules(RuleContext context) {
    super(context);
  }

  void theRateInStatsIsTheRateMeasured() {
    int size = 10_000;
    int probes = tier().choose(1_000_000, 10_000_000, 10_000_000);
    Filter filter = subject().create(size, 0.1);
    FilterPlan plan = subject().plan(size, 0.1);
    Hashes hashes = hashes("r14");
    int put = 0;
    for (int keys : new int[] {size / 4, size / 2, size, size * 3 / 2, 2 * size}) {
      Subject.put(filter, hashes.next(keys - put));
      put = keys;
      long hits = 0;
      for (int i = 0; i < probes; i++) {
        hits += filter.mightContain(hashes.next()) ? 1 : 0;
      }
      double stated = filter.stats().falsePositiveRate();
      // Java prints all digits of some numbers otherwise from release 19 on.
      String what =
          String.format(Locale.ROOT, "%d of %d keys, stated rate %.6g", keys, size, stated);
      RateSample sample =
          new RateSample(what, keys, 1, plan.probes(), plan.sizeInBits(), probes, hits);
      verdict().notAbove(1.05 * stated, sample);
      verdict().notBelow(0.95 * stated, sample);
    }
  }

  void theEstimateOfKeysIsWithinFivePercent() {
    if (Capability.GROWTH.isOfferedBy(subject().provider())) {
      checkGrownEstimate();
    }
    int size = 10_000;
    Filter filter = subject().create(size, 0.01);
    Hashes hashes = hashes("r15");
    for (int keys = size / 2; keys <= size; keys += size / 2) {
      long[] more = hashes.next(size / 2);
      Subject.put(filter, more);
      OptionalLong estimate = filter.stats().approximateKeys();
      // The standard error is 0.3 % for one table, and below 0.8 % for tables of small blocks.
      assertEquals(
          keys, (double) estimate.orElseThrow(), 0.05 * keys, "keys estimated in " + filter);
      Subject.put(filter, more);
      assertEquals(estimate, filter.stats().approximateKeys(), "after the same hashes again");
    }
  }

  private void checkGrownEstimate() {
    int keys = 20_000;
    Filter filter = subject().create(1_000, 0.01);
    Subject.put(filter, hashes("r15/grown", keys));
    assertEquals(
        keys,
        (double) filter.stats().approximateKeys().orElseThrow(),
        0.05 * keys,
        () -> "keys estimated in grown " + filter);
  }

  void aFullFilterDoesNotEstimate() {
    for (int size : new int[] {1, 20}) {
      Filter filter = subject().create(size, 0.5);
      int enough = Math.max(2_000 * size, hashesToFill(filter.stats().sizeInBits()));
      Hashes hashes = hashes("r16/" + size);
      for (int round = 0; round < 20; round++) {
        Subject.put(filter, hashes.next((enough + 19) / 20));
        checkRanges(filter.stats());
      }
      if (!Capability.GROWTH.isOfferedBy(subject().provider())
          && !Capability.LIMIT.isOfferedBy(subject().provider())) {
        FilterStats full = filter.stats();
        assertEquals(full.sizeInBits(), full.setBits(), () -> "set bits when all must be: " + full);
        assertEquals(1, full.falsePositiveRate(), "rate when every hash is found");
      }
    }
  }

  /**
   * Returns after how many hashes, each with one bit anywhere, no bit is clear but with a chance of
   * 1e-13. A block as large as a cache line takes more than 2,000.
   */
  private static int hashesToFill(long bits) {
    long most = Math.min(bits, 1 << 16); // more for so few keys is refused by another rule
    return (int) (most * (Math.log((double) most) + 30));
  }

  private static void checkRanges(FilterStats stats) {
    assertTrue(stats.fill() >= 0 && stats.fill() <= 1, () -> "fill of " + stats);
    double rate = stats.falsePositiveRate();
    assertTrue(rate >= 0 && rate <= 1, () -> "rate of " + stats);
    boolean full = stats.setBits() == stats.sizeInBits();
    assertEquals(full, stats.approximateKeys().isEmpty(), () -> "is there an estimate? " + stats);
    assertTrue(stats.approximateKeys().orElse(0) >= 0, () -> "estimate of " + stats);
  }

  void anEmptyFilterHasEmptyStatistics() {
    for (int size : new int[] {1, 100, 10_000}) {
      FilterStats stats = subject().create(size, 0.01).stats();
      assertEquals(0, stats.setBits(), "set bits");
      assertEquals(0, stats.falsePositiveRate(), "rate");
      assertEquals(OptionalLong.of(0), stats.approximateKeys(), "keys");
    }
  }
}
