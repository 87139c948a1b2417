package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.filter.FilterProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The results of one {@link Task}, collected as they arrive from this JVM or others. */
final class Findings {

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);
  private final Coverage coverage = new Coverage();
  private final List<String> notOffered = new ArrayList<>();
  private final Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
  private final List<String> doubts = new ArrayList<>();
  private double raceSensitivity;
  private double alphaSpent;

  void add(SelfCheck selfCheck) {
    doubts.addAll(selfCheck.doubts());
    raceSensitivity = selfCheck.raceSensitivity();
  }

  /** Adds the outcome of a rule whose check did not complete. */
  void add(Rule rule, Outcome outcome) {
    outcomes.put(rule, outcome);
  }

  /** Adds the outcome and the evidence of a rule. */
  void add(Rule rule, Outcome outcome, Evidence seen) {
    add(rule, outcome);
    if (outcome.status() != Status.NOT_APPLICABLE) {
      evidence.put(rule, seen);
    }
  }

  /** Adds the totals of a run over all its rules. */
  void add(Run run) {
    add(run.coverage().counts(), run.budget().spent());
  }

  void add(Map<String, Integer> cases, double alpha) {
    coverage.add(cases);
    alphaSpent += alpha;
  }

  /** Queries a provider for what it offers. */
  void offers(FilterProvider provider) {
    offers(Origin.capabilities(provider), notOffered(provider));
  }

  void offers(Collection<Capability> able, List<String> refused) {
    capabilities.addAll(able);
    notOffered.addAll(refused);
  }

  /** Returns the classes of cases that a provider rejects. */
  static List<String> notOffered(FilterProvider provider) {
    try {
      return Coverage.notOffered(new Subject(provider).offer());
    } catch (RuntimeException | AssertionError e) {
      // Rejecting the provider is left to the rules.
      return List.of();
    }
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

  List<String> notOffered() {
    return notOffered;
  }

  Set<Capability> capabilities() {
    return Collections.unmodifiableSet(capabilities);
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
}
