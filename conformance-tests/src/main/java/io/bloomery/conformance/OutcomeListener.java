package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Gathers what comes of each rule while the suite runs. */
final class OutcomeListener implements TestExecutionListener {

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
  private final Map<Rule, String> samples = new EnumMap<>(Rule.class);
  private final List<String> doubts = new ArrayList<>();
  private int selfChecks;
  private long started;

  synchronized Map<Rule, Outcome> outcomes() {
    return new EnumMap<>(outcomes);
  }

  /** Returns what speaks against the run itself. */
  synchronized List<String> doubts() {
    List<String> all = new ArrayList<>(doubts);
    if (selfChecks < SelfChecks.COUNT) {
      all.add("the suite did not check itself; is the engine jqwik on the class path?");
    }
    return all;
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    started = System.nanoTime();
  }

  @Override
  public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    rule(test.getSource())
        .ifPresent(
            rule ->
                entry
                    .getKeyValuePairs()
                    .values()
                    .forEach(text -> samples.merge(rule, text, String::concat)));
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    Status status =
        reason.startsWith(RuleHook.NOT_APPLICABLE) ? Status.NOT_APPLICABLE : Status.NOT_RUN;
    rule(test.getSource()).ifPresent(rule -> outcomes.put(rule, Outcome.of(status, reason)));
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Optional<Rule> rule = rule(test.getSource());
    rule.ifPresent(checked -> outcomes.put(checked, outcome(checked, result)));
    if (rule.isEmpty() && test.isTest()) {
      selfChecks++;
    }
    if (rule.isEmpty() && result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      doubts.add(test.getDisplayName() + ": " + reason(result));
    }
  }

  /** Notes that a rule has ended the whole run. */
  synchronized void ended(Optional<Rule> rule, Throwable reason) {
    rule.ifPresent(broken -> outcomes.put(broken, Outcome.of(Status.BROKEN, reason.toString())));
    doubts.add("the run ended early: " + reason);
  }

  private Outcome outcome(Rule rule, TestExecutionResult result) {
    Duration duration = Duration.ofNanos(System.nanoTime() - started);
    return switch (result.getStatus()) {
      case SUCCESSFUL -> new Outcome(Status.KEPT, "", duration);
      case ABORTED -> new Outcome(Status.NOT_RUN, reason(result), duration);
      case FAILED ->
          new Outcome(status(result), reason(result) + samples.getOrDefault(rule, ""), duration);
    };
  }

  private static Status status(TestExecutionResult failed) {
    return failed.getThrowable().filter(InconclusiveError.class::isInstance).isPresent()
        ? Status.NOT_RUN
        : Status.BROKEN;
  }

  private static String reason(TestExecutionResult result) {
    return result.getThrowable().map(Throwable::toString).orElse("");
  }

  /** Returns the rule that a test checks, if any. */
  static Optional<Rule> rule(Optional<TestSource> source) {
    return source
        .filter(MethodSource.class::isInstance)
        .flatMap(method -> Rule.checkedBy(((MethodSource) method).getMethodName()));
  }
}
