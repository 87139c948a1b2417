package io.bloomery.conformance;

import io.bloomery.conformance.ChildTask.Mark;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of rules in a child JVM. If the child ends early, the rule that its last record names is
 * broken, and another child continues behind that rule.
 */
final class SupervisedRun {

  /** The number of hanging rules after which the limit for further ones is reduced. */
  private static final int STUCK_BEFORE_HASTE = 3;

  private static final Duration HASTE = Duration.ofSeconds(10);

  private final RunParameters parameters;
  private final List<Rule> left;
  private final RunResults results;
  private int stuck;
  private boolean isSelfChecked;

  // What the current child has written.
  private boolean hasBegun;
  private boolean isLoaded;
  private boolean isDone;
  private Optional<LoadFailure> loadFailure = Optional.empty();
  private Optional<Rule> running = Optional.empty();
  private Optional<RuleResult> last = Optional.empty();
  private String lastCase = "";

  private SupervisedRun(Class<?> provider, RunParameters parameters) {
    this.parameters = parameters;
    this.left = new ArrayList<>(parameters.rules());
    this.results = new RunResults(Offered.unknown(provider.getSimpleName()));
  }

  /** Checks rules on a provider. */
  static RunResults of(
      Class<?> provider, RunParameters parameters, SupervisedRunner.Children children) {
    SupervisedRun run = new SupervisedRun(provider, parameters);
    try {
      while (!run.left.isEmpty()) {
        run.next(provider, children);
      }
    } catch (IOException e) {
      run.leaveOut(Status.NOT_RUN, "no JVM can be started for the provider: " + e.getMessage());
    }
    return run.results;
  }

  /** Checks the remaining rules up to the next one that ends its JVM. */
  private void next(Class<?> provider, SupervisedRunner.Children children) throws IOException {
    hasBegun = false;
    isLoaded = false;
    loadFailure = Optional.empty();
    running = Optional.empty();
    last = Optional.empty();
    lastCase = "";
    Duration limit = stuck < STUCK_BEFORE_HASTE ? parameters.limit() : HASTE;
    String end =
        children
            .of(parameters.tier(), limit)
            .run(
                new RuleChecks(provider.getName(), parameters.with(left, limit), !isSelfChecked),
                this::read);
    last.ifPresent(
        result -> results.addTotals(result.cases(), result.alphaSpent(), result.processorTime()));
    if (isDone) {
      leaveOut(Status.NOT_RUN, "was not run");
    } else if (!hasBegun) {
      throw new IOException("it " + end);
    } else if (loadFailure.isPresent()) {
      leaveOut(loadFailure.get().status(), loadFailure.get().reason());
    } else if (!isLoaded) {
      leaveOut(Status.BROKEN, "the JVM of the provider " + end + ", while it was loaded");
    } else if (running.isPresent() || last.filter(RuleResult::isStuck).isEmpty()) {
      blame(end);
    }
  }

  private void read(Object written) {
    if (written instanceof SelfCheck check) {
      results.add(check);
      isSelfChecked = true;
    } else if (written instanceof LoadFailure failure) {
      loadFailure = Optional.of(failure);
    } else if (written instanceof Offered offered) {
      isLoaded = true;
      results.set(offered);
    } else if (written instanceof Rule rule) {
      running = Optional.of(rule);
      lastCase = "";
    } else if (written instanceof String drawn) {
      lastCase = drawn;
    } else if (written instanceof RuleResult result) {
      results.add(result);
      left.remove(result.rule());
      stuck += result.isStuck() ? 1 : 0;
      running = Optional.empty();
      last = Optional.of(result);
    } else {
      hasBegun |= written == Mark.BEGIN;
      isDone |= written == Mark.DONE;
    }
  }

  /** Attributes the unexpected end of a JVM to the rule that was running. */
  private void blame(String end) {
    String when =
        running.isPresent()
            ? ", which no filter may bring about"
            : left.isEmpty() ? ", after all rules" : ", before this rule was begun";
    Rule blamed =
        running
            .or(() -> left.stream().findFirst())
            .or(() -> last.map(RuleResult::rule))
            .orElseThrow();
    String drawn = lastCase.isEmpty() ? "" : "\n  the case tried last: " + lastCase;
    String detail = "the JVM of the provider " + end + when + drawn;
    results.add(blamed, new Outcome(Status.BROKEN, detail, Duration.ZERO, end));
    left.remove(blamed);
    stuck += end.startsWith("stood still") ? 1 : 0;
  }

  private void leaveOut(Status status, String reason) {
    left.forEach(rule -> results.add(rule, Outcome.of(status, reason)));
    left.clear();
  }
}
