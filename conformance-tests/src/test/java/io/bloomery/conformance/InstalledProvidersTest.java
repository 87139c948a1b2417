package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.FilterProvider;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.standard.StandardProvider;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the suite on every provider that ServiceLoader finds. */
class InstalledProvidersTest {

  @TestFactory
  Stream<DynamicContainer> everyInstalledProviderKeepsEveryRule() {
    return Conformance.runInstalled().stream()
        .map(report -> dynamicContainer(report.variant(), tests(report)));
  }

  private static Stream<DynamicTest> tests(ConformanceReport report) {
    DynamicTest complete =
        dynamicTest(
            "every rule was run",
            () -> assertEquals(EnumSet.allOf(Rule.class), report.outcomes().keySet()));
    Stream<DynamicTest> rules =
        Arrays.stream(Rule.values())
            .map(
                rule ->
                    dynamicTest(
                        rule.id() + ": " + rule.title(),
                        () ->
                            assertEquals(
                                Status.KEPT,
                                report.outcome(rule).status(),
                                report.outcome(rule).detail())));
    return Stream.concat(Stream.of(complete), rules);
  }

  @Test
  void theStandardProviderIsAmongThem() {
    assertTrue(
        Conformance.atLeastOne(Bloomery.installed().providers()).stream()
            .anyMatch(StandardProvider.class::isInstance));
  }

  @Test
  void noProviderIsAFailure() {
    List<FilterProvider> none = List.of();
    assertThrows(IllegalStateException.class, () -> Conformance.atLeastOne(none));
  }
}
