package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.filter.FilterProvider;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

/**
 * The result of one rule, and the totals of its run.
 *
 * @param isStuck whether the check is still running, in a thread that cannot be stopped
 * @param cases the number of cases in each class, in all rules so far
 * @param alphaSpent the total spent by all statistical checks so far
 * @param processorTime the processor time that the JVM has used so far
 */
record RuleResult(
    Rule rule,
    Outcome outcome,
    boolean isStuck,
    Evidence evidence,
    Map<String, Integer> cases,
    double alphaSpent,
    Duration processorTime)
    implements Serializable {

  /** Checks a rule. */
  static RuleResult of(Rule rule, Run run, FilterProvider provider) {
    RuleTrial trial = RuleTrial.of(rule, run, provider);
    return new RuleResult(
        rule,
        trial.outcome(),
        trial.isStuck(),
        run.evidence(rule.id()),
        run.coverage().counts(),
        run.budget().spent(),
        processorTimeOfJvm());
  }

  /** Returns the processor time that this JVM has used; zero if the system does not tell. */
  static Duration processorTimeOfJvm() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
