package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.FilterProvider;
import io.bloomery.conformance.ConformanceReport.Status;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Runs the suite on providers that are right in unusual ways: it must not be narrower than the
 * rules.
 */
class UnusualProvidersTest {

  private static ConformanceReport checkKept(FilterProvider provider) {
    ConformanceReport report = new ConformanceRunner().run(provider);
    assertEquals(Set.of(), report.failures(), report::toString);
    return report;
  }

  @Test
  void aTableLargerThanNeededIsAccepted() {
    checkKept(new Unusual.Larger());
  }

  @Test
  void aTableRoundedToAPowerOfTwoIsAccepted() {
    checkKept(new Unusual.PowerOfTwo());
  }

  @Test
  void anotherWayToProbeIsAccepted() {
    checkKept(new Unusual.Remainders());
  }

  @Test
  void anotherOrderOfWordsAndBytesIsAccepted() {
    checkKept(new Unusual.Backwards());
  }

  @Test
  void plainCountersAreAccepted() {
    checkKept(new CountingReference.Provider(CountingReference::new));
  }

  @Test
  void positionsThatAreCountedTwiceOnBothWaysAreAccepted() {
    checkKept(new CountingReference.Provider(Unusual.CountsShared::new));
  }

  @Test
  void filtersThatRefuseWhenFullAreAccepted() {
    checkKept(PatchedProvider.of(BrokenLimits.Limited::new));
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
