package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.internal.check.Watchdog.StuckError;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.FilterProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * The result of one rule on one provider.
 *
 * @param failure the exception of the check, if it was run and did not pass
 */
record RuleTrial(Outcome outcome, Optional<Throwable> failure) {

  private static final String SUITE = RuleTrial.class.getPackageName() + ".";

  /** Packages in stack traces that belong neither to the provider nor to the suite. */
  private static final List<String> OTHERS =
      List.of("java.", "jdk.", "sun.", "org.junit.", "org.opentest4j.", "net.jqwik.");

  /** Checks a rule, whatever the provider does, including throwing anything or never returning. */
  static RuleTrial of(Rule rule, Run run, FilterProvider provider) {
    long start = System.nanoTime();
    AtomicReference<RuleTrial> ended = new AtomicReference<>();
    try {
      // A lock that is never released, or an endless loop, must not hang the run.
      Watchdog.run(
          run.limit(), run::begun, rule.id(), () -> ended.set(checked(rule, run, provider)));
    } catch (AssertionError e) {
      // The exception has the state of the check; the stack trace of this thread is that of the
      // caller.
      ended.set(failed(e, e.toString()));
    }
    return ended.get().after(Duration.ofNanos(System.nanoTime() - start));
  }

  private static RuleTrial checked(Rule rule, Run run, FilterProvider provider) {
    try {
      if (!rule.capability().isOfferedBy(provider)) {
        String reason = "not applicable: filters do not " + rule.capability().ability();
        return new RuleTrial(Outcome.of(Status.NOT_APPLICABLE, reason), Optional.empty());
      }
      Optional<String> leftOut = rule.leftOutOf(run.tier());
      if (leftOut.isPresent()) {
        String reason = "not applicable: " + leftOut.get();
        return new RuleTrial(Outcome.of(Status.NOT_APPLICABLE, reason), Optional.empty());
      }
      rule.check(new RuleContext(run, rule.id(), provider));
      return new RuleTrial(Outcome.of(Status.KEPT, ""), Optional.empty());
    } catch (Throwable e) {
      // Includes checked exceptions, which the watchdog thread cannot propagate.
      return failed(e);
    }
  }

  /** Returns the result of rules on a provider that cannot be loaded, or of a check that failed. */
  static RuleTrial failed(Throwable failure) {
    return failed(failure, detail(failure));
  }

  private static RuleTrial failed(Throwable failure, String detail) {
    Status status = failure instanceof InconclusiveError ? Status.NOT_RUN : Status.BROKEN;
    Outcome outcome = new Outcome(status, detail, Duration.ZERO, cause(failure));
    return new RuleTrial(outcome, Optional.of(failure));
  }

  /** Returns whether the check is still running, in a thread that cannot be stopped. */
  boolean isStuck() {
    return failure.filter(StuckError.class::isInstance).isPresent();
  }

  private RuleTrial after(Duration duration) {
    return new RuleTrial(outcome.after(duration), failure);
  }

  /** Returns a text that is equal for failures from the same line of the provider. */
  private static String cause(Throwable failure) {
    return first(failure, RuleTrial::isOfProvider)
        .map(at -> innermost(failure).getClass().getName() + " at " + at)
        .orElse("");
  }

  private static Throwable innermost(Throwable failure) {
    return causes(failure).getFirst();
  }

  /**
   * Returns the exception and where it was thrown: in the provider, if it came from there, and in a
   * rule.
   */
  private static String detail(Throwable failure) {
    StringBuilder detail = new StringBuilder(Subject.text(failure));
    first(failure, RuleTrial::isOfProvider).ifPresent(at -> detail.append("\nat ").append(at));
    first(failure, RuleTrial::isOfRule).ifPresent(at -> detail.append("\nat ").append(at));
    return detail.toString();
  }

  private static boolean isOfProvider(StackTraceElement frame) {
    String name = frame.getClassName();
    return !name.startsWith(SUITE) && OTHERS.stream().noneMatch(name::startsWith);
  }

  private static boolean isOfRule(StackTraceElement frame) {
    return frame.getClassName().startsWith(SUITE)
        && frame.getClassName().split("\\$", -1)[0].endsWith("Rules");
  }

  /** Returns the innermost matching frame, preferably of the root cause. */
  private static Optional<StackTraceElement> first(
      Throwable failure, Predicate<StackTraceElement> kind) {
    return causes(failure).stream()
        .flatMap(e -> Arrays.stream(e.getStackTrace()))
        .filter(kind)
        .findFirst();
  }

  private static Deque<Throwable> causes(Throwable failure) {
    Deque<Throwable> innermostFirst = new ArrayDeque<>();
    for (Throwable e = failure; e != null && !innermostFirst.contains(e); e = e.getCause()) {
      innermostFirst.push(e);
    }
    return innermostFirst;
  }
}
