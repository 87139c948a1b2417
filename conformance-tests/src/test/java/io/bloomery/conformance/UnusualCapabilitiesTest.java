package io.bloomery.conformance;

import static io.bloomery.conformance.UnusualProvidersTest.checkKept;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.ConformanceReport.Status;
import org.junit.jupiter.api.Test;

/**
 * Runs the suite on providers that count, grow, or can do neither, in the plainest way: as {@link
 * UnusualProvidersTest}, and beside it, since each run takes seconds.
 */
class UnusualCapabilitiesTest {

  @Test
  void plainCountersAreAccepted() {
    checkKept(new CountingReference.Provider(CountingReference::new));
  }

  @Test
  void positionsThatAreCountedTwiceOnBothWaysAreAccepted() {
    checkKept(new CountingReference.Provider(Unusual.CountsShared::new));
  }

  @Test
  void plainGrowthIsAccepted() {
    checkKept(new GrowingReference.Provider(GrowingReference::new));
  }

  @Test
  void rulesOfMissingCapabilitiesAreReportedAsNotApplicable() {
    ConformanceReport report = checkKept(new Unusual.Plain());
    for (Rule rule : Rule.values()) {
      boolean common = rule.capability() == Capability.NONE;
      assertEquals(
          common ? Status.KEPT : Status.NOT_APPLICABLE, report.outcome(rule).status(), rule.id());
    }
  }
}
