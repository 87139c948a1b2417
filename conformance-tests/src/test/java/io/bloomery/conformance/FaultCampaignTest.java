package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.broken.CountFault;
import io.bloomery.conformance.broken.FaultyCounts;
import io.bloomery.conformance.broken.FaultyGrowth;
import io.bloomery.conformance.broken.FaultyTable;
import io.bloomery.conformance.broken.GrowingReference;
import io.bloomery.conformance.broken.GrowthFault;
import io.bloomery.conformance.broken.TableFault;
import io.bloomery.conformance.broken.WrappedProvider;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.filter.FilterProvider;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whether the suite sees faults that are drawn: a few in each build, always the same, and as many
 * as there is time for at night, anew. What it prints has the seed; the system property {@value
 * #SEED} sets it.
 */
class FaultCampaignTest {

  private static final String SEED = "bloomery.faults.seed";

  private static final double MIN_RATE = 0.95;

  /** How many faults each build draws. */
  private static final int IN_EACH_BUILD = 10;

  /** The share of a nightly run, which the pom divides. */
  private static final Duration AT_NIGHT = Duration.ofMinutes(25);

  /** With fewer, the share that is seen would say little of all such faults. */
  private static final int FEWEST_AT_NIGHT = 200;

  /** References are slow, and a night may run beside much else: 30 seconds have been too few. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  /** The chance that the small run fails although nineteen of twenty faults are seen. */
  private static final double FALSE_ALARM = 1e-9;

  private static FaultCampaign printed(long seed, FaultCampaign campaign) {
    System.out.println("drawn faults, " + SEED + "=" + seed + ": " + campaign);
    return campaign;
  }

  /** So few faults tell only whether it is much worse than it should be. */
  @Test
  void someFaultsDrawnAreSeen() {
    long seed = Long.getLong(SEED, Seeds.ofProperty());
    FaultCampaign campaign = printed(seed, FaultCampaign.of(seed, IN_EACH_BUILD));
    double highest = campaign.interval(1 - 2 * FALSE_ALARM).getUpperBound();
    assertTrue(highest >= MIN_RATE, campaign::toString);
  }

  @Test
  @Tag("nightly")
  void nineteenOfTwentyFaultsDrawnAreSeen() {
    long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
    FaultCampaign campaign = printed(seed, FaultCampaign.of(seed, FEWEST_AT_NIGHT, AT_NIGHT));
    assertTrue(campaign.rate() >= MIN_RATE, campaign::toString);
  }

  /** What is faulty must be right but for its fault, or every fault would be seen. */
  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> withoutAFaultEveryRuleIsKept() {
    Stream<FilterProvider> drawn =
        Stream.of(
            new FaultyTable.Provider(TableFault.Drawn.NONE),
            FaultyCounts.provider(CountFault.Drawn.NONE),
            new GrowingReference.Provider(
                shape -> new FaultyGrowth(shape, GrowthFault.Drawn.NONE)));
    return Stream.concat(drawn, WrappedProvider.right())
        .map(right -> dynamicTest(right.variant(), () -> checkKept(right)));
  }

  private static void checkKept(FilterProvider right) {
    ConformanceReport report = new ConformanceRunner().limit(LIMIT).run(right);
    assertEquals(List.of(), List.copyOf(report.failures()), report::toString);
  }
}
