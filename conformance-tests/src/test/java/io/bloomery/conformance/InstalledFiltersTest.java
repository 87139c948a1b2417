package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.standard.StandardProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Checks the tests that a report becomes where nobody writes any. */
class InstalledFiltersTest {

  /** Returns the tests by name, the one on the run itself without its rule. */
  private static Map<String, DynamicTest> tests(ConformanceReport report) {
    List<DynamicContainer> containers =
        InstalledFiltersConformanceTest.tests(
                Map.of("standard", StandardProvider.class), provider -> report)
            .toList();
    assertEquals(List.of("standard"), containers.stream().map(c -> c.getDisplayName()).toList());
    return containers
        .get(0)
        .getChildren()
        .map(DynamicTest.class::cast)
        .collect(Collectors.toMap(DynamicTest::getDisplayName, Function.identity()));
  }

  private static void run(DynamicTest test) throws Throwable {
    test.getExecutable().execute();
  }

  @Test
  void eachRuleIsATestThatFailsUnlessItIsKept() {
    Map<Rule, Outcome> outcomes = SampleReports.allKept();
    outcomes.put(Rule.R02, Outcome.of(Status.BROKEN, "lost 0"));
    outcomes.put(Rule.R03, Outcome.of(Status.NOT_RUN, "too little memory"));
    outcomes.put(
        Rule.R27, Outcome.of(Status.NOT_APPLICABLE, "not applicable: filters do not merge"));
    outcomes.remove(Rule.R05);
    Map<String, DynamicTest> tests = tests(SampleReports.of(outcomes));
    assertEquals(Rule.values().length + 1, tests.size());
    assertDoesNotThrow(() -> run(tests.get("the run can be relied on")));
    for (Rule rule : Rule.values()) {
      DynamicTest test = tests.get(rule.id() + ": " + rule.title());
      switch (rule) {
        case R02, R03, R05 -> {
          AssertionError error = assertThrows(AssertionError.class, () -> run(test));
          assertTrue(
              error
                  .getMessage()
                  .contains(rule == Rule.R05 ? "was not run" : outcomes.get(rule).detail()),
              error.getMessage());
        }
        case R27 ->
            assertEquals(
                "not applicable: filters do not merge",
                assertThrows(TestAbortedException.class, () -> run(test)).getMessage());
        default -> assertDoesNotThrow(() -> run(test));
      }
    }
  }

  @Test
  void aRunInDoubtFails() {
    DynamicTest test =
        tests(SampleReports.of(Map.of(), "a filter with a fault passed"))
            .get("the run can be relied on");
    AssertionError error = assertThrows(AssertionError.class, () -> run(test));
    assertTrue(error.getMessage().contains("a filter with a fault passed"), error.getMessage());
  }

  @Test
  void noProviderIsAFailure() {
    SupervisedRunner runner = SupervisedRunner.of(new ConformanceRunner());
    assertThrows(IllegalStateException.class, () -> runner.variants(List.of()));
  }

  @Test
  void aProviderIsRunWhenItsTestsAreWanted() {
    List<String> run = new ArrayList<>();
    List<DynamicContainer> containers =
        InstalledFiltersConformanceTest.tests(
                Map.of("standard", StandardProvider.class),
                provider -> {
                  run.add(provider.getSimpleName());
                  return SampleReports.of(Map.of());
                })
            .toList();
    assertEquals(List.of(), run);
    assertTrue(containers.get(0).getChildren().count() > 0);
    assertEquals(List.of("StandardProvider"), run);
  }

  @Test
  void theClassIsNamedAsSurefireLooksForTests() {
    assertTrue(InstalledFiltersConformanceTest.class.getSimpleName().endsWith("Test"));
  }
}
