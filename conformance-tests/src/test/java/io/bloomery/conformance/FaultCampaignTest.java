package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Whether the suite sees faults that are drawn anew in each build. What it prints has the seed; the
 * system property {@value #SEED} sets it.
 */
class FaultCampaignTest {

  private static final String SEED = "bloomery.faults.seed";

  private static final double MIN_RATE = 0.95;

  /** The chance that the small run fails although nineteen of twenty faults are seen. */
  private static final double FALSE_ALARM = 1e-9;

  private static FaultCampaign campaign(int faults) {
    long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
    FaultCampaign campaign = FaultCampaign.of(seed, faults);
    System.out.println("drawn faults, " + SEED + "=" + seed + ": " + campaign);
    return campaign;
  }

  /** So few faults tell only whether it is much worse than it should be. */
  @Test
  void someFaultsDrawnAreSeen() {
    FaultCampaign campaign = campaign(30);
    double highest = campaign.interval(1 - 2 * FALSE_ALARM).getUpperBound();
    assertTrue(highest >= MIN_RATE, campaign::toString);
  }

  @Test
  @Tag("nightly")
  void nineteenOfTwentyFaultsDrawnAreSeen() {
    FaultCampaign campaign = campaign(700);
    assertTrue(campaign.rate() >= MIN_RATE, campaign::toString);
  }

  /** What is faulty must be right but for its fault, or every fault would be seen. */
  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> withoutAFaultEveryRuleIsKept() {
    return Stream.<FilterProvider>of(
            new FaultyTable.Provider(TableFault.Drawn.NONE),
            new FaultyCounts.Provider(CountFault.Drawn.NONE),
            new GrowingReference.Provider(shape -> new FaultyGrowth(shape, GrowthFault.Drawn.NONE)))
        .map(right -> dynamicTest(right.variant(), () -> checkKept(right)));
  }

  private static void checkKept(FilterProvider right) {
    ConformanceReport report = new ConformanceRunner().run(right);
    assertEquals(List.of(), List.copyOf(report.failures()), report::toString);
  }
}
