package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.filter.FilterProvider;
import java.io.Serializable;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The results of one run so far, to which this JVM or another adds. */
final class RunResults implements Serializable {

  private static final long serialVersionUID = 1;

  private final Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
  private final Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);
  private String variant;
  private Set<Capability> capabilities = Set.of();
  private List<String> rejected = List.of();
  private List<String> doubts = List.of();
  private boolean isSelfChecked;
  private double raceSensitivity;
  private Coverage coverage = new Coverage();
  private double alphaSpent;
  private Duration processorTime = Duration.ZERO;

  /**
   * Creates results without any rule.
   *
   * @param name the name of the provider until its variant is known
   */
  RunResults(String name) {
    variant = name;
  }

  /** Returns the processor time that this JVM has used; zero if the system does not tell. */
  static Duration processorTimeOfJvm() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Checks the suite itself, unless that was done. */
  void selfCheck(RunParameters parameters) {
    if (!isSelfChecked) {
      SelfCheck check = SelfCheck.of(parameters.tier(), parameters.seed(), parameters.rules());
      doubts = check.doubts();
      raceSensitivity = check.raceSensitivity();
      isSelfChecked = true;
    }
  }

  /**
   * Checks the rules that have no outcome yet.
   *
   * @param since the processor time of this JVM when its part of the run began
   * @param progress receives each rule before it is checked, and these results after it
   * @return whether all were checked; false if one hangs, in a thread that cannot be stopped
   */
  boolean check(
      FilterProvider provider,
      Run run,
      List<Rule> rules,
      Duration since,
      Consumer<Serializable> progress) {
    Coverage casesBefore = coverage;
    double alphaBefore = alphaSpent;
    Duration timeBefore = processorTime;
    variant = TestedCode.variant(provider);
    for (Rule rule : without(rules)) {
      progress.accept(rule);
      RuleTrial trial = RuleTrial.of(rule, run, provider);
      add(rule, trial.outcome());
      if (trial.outcome().status() != Status.NOT_APPLICABLE) {
        evidence.put(rule, run.evidence(rule.id()));
      }
      coverage = run.coverage();
      coverage.add(casesBefore);
      alphaSpent = alphaBefore + run.budget().spent();
      processorTime = timeBefore.plus(processorTimeOfJvm()).minus(since);
      progress.accept(this);
      if (trial.isStuck()) {
        return false;
      }
    }
    capabilities = TestedCode.capabilities(provider);
    rejected = rejected(provider);
    progress.accept(this);
    return true;
  }

  /** Returns the classes of cases that a provider rejects. */
  private static List<String> rejected(FilterProvider provider) {
    try {
      return Coverage.notOffered(new Subject(provider).offer());
    } catch (RuntimeException | AssertionError e) {
      // Rejecting the provider is left to the rules.
      return List.of();
    }
  }

  /** Sets the outcome of a rule. */
  void add(Rule rule, Outcome outcome) {
    outcomes.put(rule, outcome);
  }

  /** Sets the outcome of all rules that have none yet. */
  void addTo(List<Rule> rules, Outcome outcome) {
    without(rules).forEach(rule -> add(rule, outcome));
  }

  /** Returns the rules that have no outcome yet. */
  List<Rule> without(List<Rule> rules) {
    return rules.stream().filter(rule -> !outcomes.containsKey(rule)).toList();
  }

  /** Returns the code of a provider and what it offers. */
  TestedCode code(Class<?> provider) {
    return TestedCode.of(provider, variant, capabilities);
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

  /** Returns the classes of cases that the provider rejects. */
  List<String> rejected() {
    return rejected;
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
