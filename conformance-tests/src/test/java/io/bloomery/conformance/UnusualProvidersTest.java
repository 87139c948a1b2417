package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterProvider;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Runs the suite on providers of tables that are right in unusual ways: it must not be narrower
 * than the rules.
 */
class UnusualProvidersTest {

  static ConformanceReport checkKept(FilterProvider provider) {
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
  void filtersThatRefuseWhenFullAreAccepted() {
    checkKept(PatchedProvider.of(BrokenLimits.Limited::new));
  }
}
