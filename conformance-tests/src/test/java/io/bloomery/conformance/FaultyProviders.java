package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Providers with known faults: a rule that finds none is no rule. */
final class FaultyProviders {

  private final List<Broken> all;

  private FaultyProviders(List<Broken> all) {
    this.all = all;
  }

  /** Returns those whose faults show in one thread. */
  static FaultyProviders ofOneThread() {
    return of(
        Stream.of(
            BrokenContent.all(),
            BrokenNumbers.all(),
            BrokenCalls.all(),
            BrokenFiles.all(),
            BrokenLimits.all(),
            BrokenAttributes.all(),
            BrokenDescriptions.all()));
  }

  /** Returns those whose faults show between threads, and those that remove or grow. */
  static FaultyProviders ofThreadsAndCounts() {
    return of(Stream.of(BrokenThreads.all(), BrokenRemoval.all(), BrokenGrowth.all()));
  }

  private static FaultyProviders of(Stream<List<Broken>> lists) {
    return new FaultyProviders(lists.flatMap(List::stream).toList());
  }

  int count() {
    return all.size();
  }

  /** Returns the rules of which a fault is said to be seen by no other. */
  Set<Rule> rules() {
    Set<Rule> rules = new TreeSet<>();
    all.stream().filter(Broken::narrow).map(Broken::rule).forEach(rules::add);
    return rules;
  }

  Stream<DynamicTest> areFoundByTheRuleThatNamesTheFault() {
    return all.stream().map(broken -> dynamicTest(broken.toString(), () -> checkFound(broken)));
  }

  Stream<DynamicTest> wouldPassWithoutThatRule() {
    return rules().stream()
        .map(rule -> dynamicTest(rule.id() + ": " + rule.title(), () -> checkNeeded(rule)));
  }

  private static void checkFound(Broken broken) {
    ConformanceReport report =
        new ConformanceRunner().rules(Set.of(broken.rule())).run(broken.provider());
    assertEquals(
        ConformanceReport.Status.BROKEN,
        report.outcome(broken.rule()).status(),
        () -> "the fault passes unseen: " + report);
  }

  private void checkNeeded(Rule rule) {
    Map<Broken, Set<Rule>> seenBy = new HashMap<>();
    for (Broken broken : all) {
      if (broken.narrow() && broken.rule() == rule) {
        seenBy.put(broken, new ConformanceRunner().run(broken.provider()).failures());
      }
    }
    assertTrue(
        seenBy.values().stream().anyMatch(failures -> sawNothingElse(failures, rule)),
        () -> "every fault that this rule sees is seen by another too: " + seenBy);
  }

  // Altered content at random meets what other rules look for one by one.
  private static boolean sawNothingElse(Set<Rule> failures, Rule rule) {
    Set<Rule> others = new HashSet<>(failures);
    others.removeAll(EnumSet.of(rule, Rule.R65));
    return failures.contains(rule) && others.isEmpty();
  }
}
