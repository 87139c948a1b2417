package io.bloomery.conformance;

import io.bloomery.conformance.ChildTask.Mark;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One run of rules in a child JVM. If the child ends early, the rule that its last record names is
 * broken, and another child continues behind that rule.
 */
final class SupervisedRun {

  /** The number of hanging rules after which the limit for further ones is reduced. */
  private static final int STUCK_BEFORE_HASTE = 3;

  private static final Duration HASTE = Duration.ofSeconds(10);

  private final Class<?> provider;
  private final RunParameters parameters;
  private RunResults results;
  private int stuck;

  // What the current child has written last.
  private boolean hasResults;
  private Optional<Mark> mark = Optional.empty();
  private Optional<Rule> rule = Optional.empty();
  private String drawn = "";

  private SupervisedRun(Class<?> provider, RunParameters parameters) {
    this.provider = provider;
    this.parameters = parameters;
    this.results = new RunResults(provider.getSimpleName());
  }

  /** Checks rules on a provider. */
  static RunResults of(
      Class<?> provider, RunParameters parameters, SupervisedRunner.Children children) {
    SupervisedRun run = new SupervisedRun(provider, parameters);
    try {
      while (!run.results.without(parameters.rules()).isEmpty()) {
        run.next(children);
      }
    } catch (IOException e) {
      run.leaveOut(Status.NOT_RUN, "no JVM can be started for the provider: " + e.getMessage());
    }
    return run.results;
  }

  /** Checks the remaining rules up to the next one that ends its JVM. */
  private void next(SupervisedRunner.Children children) throws IOException {
    hasResults = false;
    mark = Optional.empty();
    rule = Optional.empty();
    drawn = "";
    Duration limit = stuck < STUCK_BEFORE_HASTE ? parameters.limit() : HASTE;
    String end =
        children
            .of(parameters.tier(), limit)
            .run(
                new RuleChecks(provider.getName(), parameters.withLimit(limit), results),
                this::read);
    if (!hasResults) {
      throw new IOException("it " + end);
    }
    if (mark.isEmpty()) {
      leaveOut(Status.BROKEN, "the JVM of the provider " + end + ", while it was loaded");
    } else if (mark.get() == Mark.STUCK) {
      stuck++;
    } else if (mark.get() == Mark.DONE) {
      leaveOut(Status.NOT_RUN, "was not run");
    } else {
      blame(end);
    }
  }

  private void read(Object written) {
    if (written instanceof RunResults more) {
      results = more;
      hasResults = true;
    } else if (written instanceof Rule begun) {
      rule = Optional.of(begun);
      drawn = "";
    } else if (written instanceof String next) {
      drawn = next;
    } else {
      mark = Optional.of((Mark) written);
    }
  }

  /** Attributes the unexpected end of a JVM to the last rule that it began. */
  private void blame(String end) {
    Rule blamed = rule.orElseGet(() -> results.without(parameters.rules()).get(0));
    String when =
        rule.isEmpty()
            ? ", before this rule was begun"
            : results.outcomes().containsKey(blamed)
                ? ", after this rule"
                : ", which no filter may bring about";
    String tried = drawn.isEmpty() ? "" : "\n  the case tried last: " + drawn;
    results.add(
        blamed,
        new Outcome(
            Status.BROKEN, "the JVM of the provider " + end + when + tried, Duration.ZERO, end));
    stuck += end.startsWith(ChildJvm.STOOD_STILL) ? 1 : 0;
  }

  private void leaveOut(Status status, String reason) {
    results.addTo(parameters.rules(), Outcome.of(status, reason));
  }
}
