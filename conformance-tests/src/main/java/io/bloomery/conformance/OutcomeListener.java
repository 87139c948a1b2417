package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Gathers what comes of each rule while the suite runs. */
final class OutcomeListener implements TestExecutionListener {

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
  private final Map<Rule, String> samples = new EnumMap<>(Rule.class);

  synchronized Map<Rule, Outcome> outcomes() {
    return new EnumMap<>(outcomes);
  }

  @Override
  public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    rule(test)
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
    rule(test).ifPresent(rule -> outcomes.put(rule, new Outcome(status, reason)));
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    rule(test).ifPresent(rule -> outcomes.put(rule, outcome(rule, result)));
  }

  private Outcome outcome(Rule rule, TestExecutionResult result) {
    String reason = result.getThrowable().map(Throwable::toString).orElse("");
    return switch (result.getStatus()) {
      case SUCCESSFUL -> new Outcome(Status.KEPT, "");
      case ABORTED -> new Outcome(Status.NOT_RUN, reason);
      case FAILED -> new Outcome(Status.BROKEN, reason + samples.getOrDefault(rule, ""));
    };
  }

  private static Optional<Rule> rule(TestIdentifier test) {
    return test.getSource()
        .filter(MethodSource.class::isInstance)
        .flatMap(source -> Rule.checkedBy(((MethodSource) source).getMethodName()));
  }
}
