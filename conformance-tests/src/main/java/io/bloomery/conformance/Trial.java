package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
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
 * What came of one rule on one provider.
 *
 * @param failure what the check has thrown, if it was made and did not pass
 */
record Trial(Outcome outcome, Optional<Throwable> failure) {

  private static final String SUITE = Trial.class.getPackageName() + ".";

  /** What is neither of the provider nor of the suite, where a stack passes through it. */
  private static final List<String> OTHERS =
      List.of("java.", "jdk.", "sun.", "org.junit.", "org.opentest4j.", "net.jqwik.");

  /** Checks a rule, whatever the provider does: throw anything, or never come back. */
  static Trial of(Rule rule, Run run, FilterProvider provider) {
    long start = System.nanoTime();
    AtomicReference<Trial> ended = new AtomicReference<>();
    try {
      // A lock that is never released, or a loop without an end, must not take the run with it.
      Watchdog.run(
          Duration.ofSeconds(run.tier().choose(60, 900, 7_200)),
          run::begun,
          rule.id(),
          () -> ended.set(checked(rule, run, provider)));
    } catch (AssertionError e) {
      // It says what the check was at; the stack of this thread is the caller's.
      ended.set(failed(e, e.toString()));
    }
    return ended.get().after(Duration.ofNanos(System.nanoTime() - start));
  }

  private static Trial checked(Rule rule, Run run, FilterProvider provider) {
    try {
      if (!rule.capability().isOfferedBy(provider)) {
        String reason = "not applicable: filters do not " + rule.capability().ability();
        return new Trial(Outcome.of(Status.NOT_APPLICABLE, reason), Optional.empty());
      }
      rule.check(new RuleContext(run, rule, provider));
      return new Trial(Outcome.of(Status.KEPT, ""), Optional.empty());
    } catch (Throwable e) {
      // Checked exceptions, too, which the thread of the watchdog does not hand on.
      return failed(e, detail(e));
    }
  }

  private static Trial failed(Throwable failure, String detail) {
    Status status = failure instanceof InconclusiveError ? Status.NOT_RUN : Status.BROKEN;
    return new Trial(Outcome.of(status, detail), Optional.of(failure));
  }

  private Trial after(Duration duration) {
    return new Trial(new Outcome(outcome.status(), outcome.detail(), duration), failure);
  }

  /** Returns what was thrown, and where: in the provider, if it came from there, and in a rule. */
  private static String detail(Throwable failure) {
    StringBuilder detail = new StringBuilder(failure.toString());
    first(failure, Trial::isOfProvider).ifPresent(at -> detail.append("\nat ").append(at));
    first(failure, Trial::isOfRule).ifPresent(at -> detail.append("\nat ").append(at));
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

  /** Returns the innermost frame of a kind, in what began the failure if there is one. */
  private static Optional<StackTraceElement> first(
      Throwable failure, Predicate<StackTraceElement> kind) {
    Deque<Throwable> innermostFirst = new ArrayDeque<>();
    for (Throwable e = failure; e != null && !innermostFirst.contains(e); e = e.getCause()) {
      innermostFirst.push(e);
    }
    return innermostFirst.stream()
        .flatMap(e -> Arrays.stream(e.getStackTrace()))
        .filter(kind)
        .findFirst();
  }
}
