package io.bloomery.conformance;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What came of one run of the suite.
 *
 * @param variant the provider's variant
 * @param seed where all randomness of the run came from
 * @param outcomes what came of each rule; a rule that is missing was not run
 */
public record ConformanceReport(String variant, long seed, Map<Rule, Outcome> outcomes) {

  /** Copies the outcomes. */
  public ConformanceReport {
    Map<Rule, Outcome> copy = new EnumMap<>(Rule.class);
    copy.putAll(outcomes);
    outcomes = Collections.unmodifiableMap(copy);
  }

  /** Whether a rule is kept. */
  public enum Status {
    /** It is. */
    KEPT,
    /** It is not. */
    BROKEN,
    /** It asks for a capability that the filters do not have. */
    NOT_APPLICABLE,
    /** It was not checked, which is as bad as if it were broken. */
    NOT_RUN
  }

  /**
   * What came of one rule.
   *
   * @param status whether it is kept
   * @param detail why not, with the smallest example found; empty if it is kept
   */
  public record Outcome(Status status, String detail) {}

  /** Returns what came of a rule. */
  public Outcome outcome(Rule rule) {
    return outcomes.getOrDefault(rule, new Outcome(Status.NOT_RUN, "was not run"));
  }

  /** Returns the rules that the provider does not keep, or that were not run. */
  public Set<Rule> failures() {
    Set<Rule> failures = new TreeSet<>();
    for (Rule rule : Rule.values()) {
      Status status = outcome(rule).status();
      if (status == Status.BROKEN || status == Status.NOT_RUN) {
        failures.add(rule);
      }
    }
    return failures;
  }

  /** Returns a line for each rule. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(variant + ", seed " + seed);
    for (Rule rule : Rule.values()) {
      Outcome outcome = outcome(rule);
      text.append(String.format("%n%s %s: %s", rule.id(), rule.title(), outcome.status()));
      if (!outcome.detail().isEmpty()) {
        text.append(", ").append(outcome.detail());
      }
    }
    return text.toString();
  }
}
