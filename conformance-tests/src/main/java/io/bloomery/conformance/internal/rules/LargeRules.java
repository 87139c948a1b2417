package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateBound;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterPlan;
import java.util.Optional;

/** The rules on filters whose size exceeds the range of an {@code int}. */
public final class LargeRules extends RuleGroup {

  /** The number of hashes put or queried at a time. */
  private static final int BATCH = 1 << 14;

  /** Tables of about 30 KiB to 1 MiB. */
  private static final Domain TABLES =
      Domain.everyFilter()
          .keys(15_000, 600_000)
          .rates(1e-4, 1e-2)
          .uniform()
          .draws(5)
          .each(
              drawn ->
                  Case.of(drawn.keys(), drawn.rate())
                      .withMode(drawn.mode())
                      .withSeed(drawn.seed()));

  public LargeRules(RuleContext context) {
    super(context);
  }

  public void largeFiltersKeepBothPromises() {
    forAll(TABLES, this::checkEveryBit);
    checkLarge(1_000_000, 0.01, 1_000_000);
    checkLarge(10_000_000, 0.01, 500_000);
    // Also at another rate, for which a variant may use another form, in more than 2 MiB.
    int keys = tier().choose(1_300_000, 2_000_000, 2_000_000);
    checkLarge(keys, 0.001, keys);
    if (tier().isAtLeast(Tier.FULL)) {
      checkLarge(10_000_000, 0.01, 10_000_000);
      checkLarge(10_000_000, 0.001, 10_000_000);
      checkLarge(50_000_000, 0.01, 1_000_000);
    }
    if (tier().isAtLeast(Tier.NIGHTLY)) {
      checkLarge(100_000_000, 0.01, 100_000_000);
      checkLarge(1_000_000_000, 0.01, 1_000_000_000);
    }
  }

  /**
   * Puts so many hashes that each bit is set by one of them except with a probability of 1/8: if
   * the bit were lost in a table of any size, they would be, too.
   */
  private void checkEveryBit(Case drawn) {
    Filter filter = new FilledFilter(subject(), drawn.withPut(0)).filter();
    int[] hits = new int[BATCH];
    Hashes hashes = new Hashes(drawn.seed());
    long left = 3 * drawn.keys();
    try {
      for (; left > 0; left -= BATCH) {
        filter.putAll(hashes.next(BATCH), 0, BATCH);
      }
    } catch (FilterFullException e) {
      // The hashes put before are present nonetheless.
      evidence().note(drawn + " is full before it has three times as many");
    }
    long whole = (3 * drawn.keys() - left) / BATCH;
    Hashes again = new Hashes(drawn.seed());
    for (long batch = 0; batch < whole; batch++) {
      int found = filter.select(again.next(BATCH), 0, BATCH, hits);
      assertEquals(
          BATCH,
          found,
          () -> "how many are found of as many that were put: " + Subject.text(filter));
    }
    evidence().found(whole * BATCH);
  }

  private void checkLarge(int size, double rate, int keys) {
    Optional<FilterPlan> offered = subject().planIfOffered(size, rate);
    if (offered.isEmpty()) {
      evidence().note("filters for " + size + " keys at " + rate + " are not offered");
      return;
    }
    FilterPlan plan = offered.get();
    long needed = plan.sizeInBits() / Byte.SIZE;
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(
        needed < heap - (64 << 20),
        () ->
            "a filter for "
                + size
                + " keys takes "
                + (needed >> 20)
                + " MiB, but the heap has "
                + (heap >> 20)
                + "; give the JVM more by -Xmx, or run a smaller tier");
    String purpose = "r64/" + size + "/" + rate;
    Filter filter = subject().create(size, rate, Subject.drawnMode(hashes(purpose + "/mode")));
    int[] hits = new int[BATCH];
    Hashes hashes = hashes(purpose);
    for (int left = keys; left > 0; left -= BATCH) {
      int count = Math.min(BATCH, left);
      filter.putAll(hashes.next(count), 0, count);
    }
    Hashes again = hashes(purpose);
    for (int left = keys; left > 0; left -= BATCH) {
      int count = Math.min(BATCH, left);
      int found = filter.select(again.next(count), 0, count, hits);
      assertEquals(
          count,
          found,
          () -> "how many are found of as many that were put: " + Subject.text(filter));
    }
    evidence().found(keys);
    checkAbsent(plan, filter, keys, hashes);
  }

  // The following hashes of the sequence have not been put.
  private void checkAbsent(FilterPlan plan, Filter filter, int keys, Hashes hashes) {
    long trials = tier().choose(1 << 21, 1 << 23, 1 << 26);
    int[] hits = new int[BATCH];
    long found = 0;
    for (long queried = 0; queried < trials; queried += BATCH) {
      found += filter.select(hashes.next(BATCH), 0, BATCH, hits);
    }
    String what =
        keys + " of " + plan.spec().expectedKeys() + " keys at " + plan.spec().falsePositiveRate();
    RateSample sample =
        new RateSample(what, keys, 1, plan.probes(), plan.sizeInBits(), trials, found);
    verdict().notAbove(plan.falsePositiveRate(keys) * (1 + RateBound.slack(sample)), sample);
  }
}
