package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.broken.Broken;
import io.bloomery.conformance.broken.BrokenAfterMany;
import io.bloomery.conformance.broken.BrokenAttributes;
import io.bloomery.conformance.broken.BrokenBuilds;
import io.bloomery.conformance.broken.BrokenCaches;
import io.bloomery.conformance.broken.BrokenCalls;
import io.bloomery.conformance.broken.BrokenContent;
import io.bloomery.conformance.broken.BrokenDescriptions;
import io.bloomery.conformance.broken.BrokenFiles;
import io.bloomery.conformance.broken.BrokenGrowth;
import io.bloomery.conformance.broken.BrokenLimits;
import io.bloomery.conformance.broken.BrokenLivePuts;
import io.bloomery.conformance.broken.BrokenNumbers;
import io.bloomery.conformance.broken.BrokenRemoval;
import io.bloomery.conformance.broken.BrokenThreads;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Providers with known faults: a rule that finds none is no rule. */
final class FaultyProviders {

  /**
   * In how many runs with other seeds a fault is to be seen at least once. One run misses a few of
   * them one time in five: what is drawn does not meet them, or two threads do not meet where it
   * matters. On a busy machine several in a row miss those that show in compiled code only, until
   * the compiler has come to it.
   */
  private static final int ATTEMPTS = 20;

  private final List<Broken> all;

  private FaultyProviders(List<Broken> all) {
    this.all = all;
  }

  /** Returns those whose faults show in one thread. */
  static FaultyProviders ofOneThread() {
    return of(
        Stream.of(
            BrokenContent.all(),
            BrokenAfterMany.all(),
            BrokenNumbers.all(),
            BrokenCalls.all(),
            BrokenFiles.all(),
            BrokenLimits.all(),
            BrokenAttributes.all(),
            BrokenDescriptions.all()));
  }

  /** Returns those whose faults show between threads, and those that remove, grow or build. */
  static FaultyProviders ofThreadsAndCounts() {
    return of(
        Stream.of(
            BrokenThreads.all(),
            BrokenLivePuts.all(),
            BrokenCaches.all(),
            BrokenRemoval.all(),
            BrokenGrowth.all(),
            BrokenBuilds.all()));
  }

  private static FaultyProviders of(Stream<List<Broken>> lists) {
    return new FaultyProviders(lists.flatMap(List::stream).toList());
  }

  Stream<Broken> all() {
    return all.stream();
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

  /** Returns a half of them, by a seed that is printed. */
  FaultyProviders half() {
    List<Broken> drawn = new ArrayList<>(all);
    Collections.shuffle(drawn, DayDraw.random());
    return new FaultyProviders(drawn.subList(0, drawn.size() / 2));
  }

  Stream<DynamicTest> areFoundByTheRuleThatNamesTheFault() {
    return all.stream().map(broken -> dynamicTest(broken.toString(), () -> checkFound(broken)));
  }

  private static void checkFound(Broken broken) {
    Outcome outcome = outcome(broken, 0);
    for (int attempt = 1; attempt < ATTEMPTS && !isFound(outcome); attempt++) {
      outcome = outcome(broken, attempt);
    }
    Outcome last = outcome;
    assertTrue(isFound(last), () -> "the fault passes unseen: " + last);
  }

  /** Returns what comes of one run, which does not look for the smallest case. */
  private static Outcome outcome(Broken broken, int attempt) {
    Run run = new Run(Tier.QUICK, Seeds.ofProperty() + attempt, Duration.ZERO);
    return RuleTrial.of(broken.rule(), run, broken.provider()).outcome();
  }

  private static boolean isFound(Outcome outcome) {
    return outcome.status() == Status.BROKEN;
  }
}
