package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Providers with known faults: a rule that finds none is no rule. */
final class FaultyProviders {

  /**
   * In how many runs a race is to be seen at least once: on a busy machine two threads may never
   * meet where it matters.
   */
  private static final int ATTEMPTS = 3;

  private final List<Broken> all;

  private FaultyProviders(List<Broken> all) {
    this.all = all;
  }

  /** Returns those whose faults show in one thread. */
  static FaultyProviders ofOneThread() {
    return of(
        Stream.of(
            BrokenContent.all(),
            BrokenInWindows.all(),
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

  /** Returns the rules that faults are here for. */
  Set<Rule> rules() {
    Set<Rule> rules = new TreeSet<>();
    all.stream().map(Broken::rule).forEach(rules::add);
    return rules;
  }

  Stream<DynamicTest> areFoundByTheRuleThatNamesTheFault() {
    return all.stream().map(broken -> dynamicTest(broken.toString(), () -> checkFound(broken)));
  }

  private static void checkFound(Broken broken) {
    // Without looking for the smallest case, nor for what else is wrong.
    Run run = new Run(Tier.QUICK, Seeds.ofProperty(), Duration.ZERO);
    Outcome outcome = Trial.of(broken.rule(), run, broken.provider()).outcome();
    boolean isRace = run.evidence(broken.rule()).rounds() > 0;
    for (int attempt = 1; isRace && attempt < ATTEMPTS && !isFound(outcome); attempt++) {
      Run again = new Run(Tier.QUICK, run.seed() + attempt, Duration.ZERO);
      outcome = Trial.of(broken.rule(), again, broken.provider()).outcome();
    }
    Outcome last = outcome;
    assertTrue(isFound(last), () -> "the fault passes unseen: " + last);
  }

  private static boolean isFound(Outcome outcome) {
    return outcome.status() == Status.BROKEN;
  }
}
