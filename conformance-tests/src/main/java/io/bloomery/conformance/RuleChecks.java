package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.filter.FilterProvider;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The check of rules on one provider.
 *
 * @param isFirst whether the suite itself is checked before
 */
record RuleChecks(String className, RunParameters parameters, boolean isFirst)
    implements ChildTask {

  private static final long STEP_MILLIS = 500;

  @Override
  public boolean run(ClassLoader loader, ProgressFile out) {
    if (isFirst) {
      out.write(SelfCheck.of(parameters.tier(), parameters.seed(), parameters.rules()));
    }
    out.write(Mark.BEGIN);
    AtomicReference<FilterProvider> loaded = new AtomicReference<>();
    Serializable known =
        LoadVariants.load(
            className,
            loader,
            parameters.limit(),
            provider -> {
              loaded.set(provider);
              return Offered.unknown(TestedCode.variant(provider));
            });
    out.write(known);
    if (known instanceof LoadFailure) {
      return false;
    }
    FilterProvider provider = loaded.get();
    Run run =
        new Run(
            parameters.tier(),
            parameters.seed(),
            parameters.patience(),
            parameters.limit(),
            drawn -> out.write(drawn.toString()));
    showProgress(run::begun, out);
    for (Rule rule : parameters.rules()) {
      out.write(rule);
      RuleResult result = RuleResult.of(rule, run, provider);
      out.write(result);
      if (result.isStuck()) {
        return false;
      }
    }
    out.write(Offered.by(provider));
    return true;
  }

  /** Writes a record from time to time as long as a number changes. */
  private static void showProgress(LongSupplier progress, ProgressFile out) {
    Thread thread =
        new Thread(
            () -> {
              for (long seen = 0; ; seen = progress.getAsLong()) {
                try {
                  Thread.sleep(STEP_MILLIS);
                } catch (InterruptedException e) {
                  // Only a provider interrupts this thread.
                }
                if (progress.getAsLong() != seen) {
                  out.write(Mark.PROGRESS);
                }
              }
            },
            "conformance progress");
    thread.setDaemon(true);
    thread.start();
  }
}
