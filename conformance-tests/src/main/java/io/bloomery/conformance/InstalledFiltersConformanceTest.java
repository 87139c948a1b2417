package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/**
 * The rules as tests of every installed provider, without any code: list this artifact under {@code
 * dependenciesToScan} of the Surefire plugin. System properties set tier, seed and rules as for
 * {@link FilterContract}. Each provider is checked in a child JVM by a {@link SupervisedRunner}.
 */
final class InstalledFiltersConformanceTest {

  @TestFactory
  Stream<DynamicContainer> installedFilters() throws IOException {
    SupervisedRunner runner = SupervisedRunner.of(new ConformanceRunner().rules(Rule.ofProperty()));
    return tests(runner.variants(SupervisedRunner.installed()), runner::run);
  }

  /** Returns the tests of each provider, which is run when the first of its tests is executed. */
  static Stream<DynamicContainer> tests(
      Map<String, Class<? extends VariantProvider>> providers,
      Function<? super Class<? extends VariantProvider>, ConformanceReport> runner) {
    return providers.entrySet().stream()
        .map(
            provider ->
                dynamicContainer(
                    provider.getKey(),
                    Stream.of(provider.getValue())
                        .map(runner)
                        .flatMap(InstalledFiltersConformanceTest::tests)));
  }

  private static Stream<DynamicTest> tests(ConformanceReport report) {
    DynamicTest run =
        dynamicTest(
            "the run can be relied on",
            () -> assertEquals(List.of(), report.doubts(), report.summary()));
    return Stream.concat(
        Stream.of(run),
        Arrays.stream(Rule.values())
            .filter(rule -> report.outcome(rule).status() != Status.NOT_ASKED)
            .map(
                rule ->
                    dynamicTest(
                        rule.id() + ": " + rule.title(),
                        () ->
                            check(
                                report.outcome(rule), rule.again(report.seed(), report.tier())))));
  }

  private static void check(Outcome outcome, String again) {
    switch (outcome.status()) {
      case KEPT -> {}
      case NOT_APPLICABLE -> throw new TestAbortedException(outcome.detail());
      case BROKEN, NOT_RUN, NOT_ASKED -> fail(outcome.status() + ": " + outcome.detail() + again);
    }
  }
}
