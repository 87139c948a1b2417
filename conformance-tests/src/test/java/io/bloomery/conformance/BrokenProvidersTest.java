package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the suite on providers with known faults: a rule that finds none is no rule. */
class BrokenProvidersTest {

  private static final Map<Broken, ConformanceReport> REPORTS = new HashMap<>();

  private static final List<Broken> ALL =
      Stream.of(
              BrokenContent.all(),
              BrokenNumbers.all(),
              BrokenCalls.all(),
              BrokenFiles.all(),
              BrokenThreads.all(),
              BrokenRemoval.all(),
              BrokenGrowth.all(),
              BrokenLimits.all())
          .flatMap(List::stream)
          .toList();

  /** Runs the suite, once for each provider: all of it where no other rule may see the fault. */
  private static ConformanceReport report(Broken broken) {
    return REPORTS.computeIfAbsent(
        broken,
        fault -> {
          ConformanceRunner runner = new ConformanceRunner();
          return (fault.narrow() ? runner : runner.rules(Set.of(fault.rule())))
              .run(fault.provider());
        });
  }

  @TestFactory
  Stream<DynamicTest> everyFaultIsFoundByTheRuleThatNamesIt() {
    return ALL.stream().map(broken -> dynamicTest(broken.toString(), () -> checkFound(broken)));
  }

  private static void checkFound(Broken broken) {
    ConformanceReport report = report(broken);
    assertTrue(
        report.failures().contains(broken.rule()), () -> "the fault passes unseen: " + report);
    assertEquals(
        ConformanceReport.Status.BROKEN, report.outcome(broken.rule()).status(), report::toString);
  }

  @TestFactory
  Stream<DynamicTest> withoutAnyOneRuleSomeFaultWouldPass() {
    return Arrays.stream(Rule.values())
        .map(rule -> dynamicTest(rule.id() + ": " + rule.title(), () -> checkNeeded(rule)));
  }

  // Altered content at random meets what other rules look for one by one.
  private static boolean sawNothingElse(ConformanceReport report, Rule rule) {
    Set<Rule> others = new HashSet<>(report.failures());
    others.removeAll(Set.of(rule, Rule.R65));
    return report.failures().contains(rule) && others.isEmpty();
  }

  private static void checkNeeded(Rule rule) {
    List<Broken> seenByNoOther =
        ALL.stream()
            .filter(Broken::narrow)
            .filter(broken -> broken.rule() == rule)
            .filter(broken -> sawNothingElse(report(broken), rule))
            .toList();
    assertTrue(
        !seenByNoOther.isEmpty(),
        () ->
            "every fault that this rule sees is seen by another too: "
                + ALL.stream()
                    .filter(broken -> broken.rule() == rule)
                    .map(broken -> broken + " by " + report(broken).failures())
                    .toList());
  }
}
