package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.run.Evidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The results of one run, collected as they arrive from this JVM or others. */
final class RunResults {

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);
  private final Coverage coverage = new Coverage();
  private final List<String> doubts = new ArrayList<>();
  private Offered offered;
  private double raceSensitivity;
  private double alphaSpent;
  private Duration processorTime = Duration.ZERO;

  /** Creates results of a provider of which nothing is known yet but what is given. */
  RunResults(Offered offered) {
    this.offered = offered;
  }

  void add(SelfCheck selfCheck) {
    doubts.addAll(selfCheck.doubts());
    raceSensitivity = selfCheck.raceSensitivity();
  }

  /** Adds the outcome of a rule whose check did not complete. */
  void add(Rule rule, Outcome outcome) {
    outcomes.put(rule, outcome);
  }

  /** Adds the result of a rule, without its totals. */
  void add(RuleResult result) {
    add(result.rule(), result.outcome());
    if (result.outcome().status() != Status.NOT_APPLICABLE) {
      evidence.put(result.rule(), result.evidence());
    }
  }

  /** Adds the totals of a JVM over all its rules. */
  void addTotals(Map<String, Integer> cases, double alpha, Duration used) {
    coverage.add(cases);
    alphaSpent += alpha;
    processorTime = processorTime.plus(used);
  }

  /** Sets what is known of the provider. */
  void set(Offered known) {
    offered = known;
  }

  Map<Rule, Outcome> outcomes() {
    return outcomes;
  }

  Map<Rule, Evidence> evidence() {
    return evidence;
  }

  Coverage coverage() {
    return coverage;
  }

  Offered offered() {
    return offered;
  }

  List<String> doubts() {
    return doubts;
  }

  double raceSensitivity() {
    return raceSensitivity;
  }

  double alphaSpent() {
    return alphaSpent;
  }

  Duration processorTime() {
    return processorTime;
  }
}
