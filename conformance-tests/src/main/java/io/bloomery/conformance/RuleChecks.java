package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.filter.FilterProvider;
import java.time.Duration;
import java.util.function.Function;

/**
 * The task of checking rules on one provider.
 *
 * @param results the results so far
 */
record RuleChecks(String className, RunParameters parameters, RunResults results)
    implements ChildTask {

  private static final long STEP_MILLIS = 500;

  @Override
  public boolean run(ClassLoader loader, ProgressFile out) {
    results.selfCheck(parameters);
    out.write(results);
    FilterProvider provider;
    try {
      provider = LoadVariants.load(className, loader, parameters.limit(), Function.identity());
    } catch (AssertionError e) {
      results.addTo(parameters.rules(), RuleTrial.failed(e).outcome());
      out.write(results);
      return true;
    }
    out.write(Mark.LOADED);
    Run run = parameters.newRun(drawn -> out.write(drawn.toString()));
    showProgress(run, out);
    boolean isDone = results.check(provider, run, parameters.rules(), Duration.ZERO, out::write);
    if (!isDone) {
      out.write(Mark.STUCK);
    }
    return isDone;
  }

  /** Writes a record from time to time as long as a run makes progress. */
  private static void showProgress(Run run, ProgressFile out) {
    ChildMain.startDaemon(
        () -> {
          for (long seen = 0; ; seen = run.begun()) {
            try {
              Thread.sleep(STEP_MILLIS);
            } catch (InterruptedException e) {
              // Only a provider interrupts this thread.
            }
            if (run.begun() != seen) {
              out.write(Mark.PROGRESS);
            }
          }
        });
  }
}
