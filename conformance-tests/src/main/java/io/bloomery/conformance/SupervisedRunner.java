package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the rules like a {@link ConformanceRunner}, but checks each provider in a separate JVM with
 * the class path and the options of this one. A provider that ends its JVM, or hangs it, has broken
 * the rule being checked; the remaining rules are checked in another JVM. No provider can therefore
 * end a run, or pass by ending it. Runners are immutable.
 *
 * <p>The provider is created again in that JVM: by ServiceLoader, or by the only constructor of its
 * class if it takes no arguments. If neither is possible, or no JVM can be started, the rules are
 * checked in this JVM.
 */
public final class SupervisedRunner {

  private final ConformanceRunner runner;
  private final Consumer<String> log;

  private SupervisedRunner(ConformanceRunner runner, Consumer<String> log) {
    this.runner = runner;
    this.log = log;
  }

  /** Returns a runner with the tier, seed and rules of another runner. */
  public static SupervisedRunner of(ConformanceRunner runner) {
    Objects.requireNonNull(runner, "runner");
    return new SupervisedRunner(runner, System.err::println);
  }

  /**
   * Loads all providers that ServiceLoader locates in some places and on the class path, in a
   * separate JVM. Exceptions thrown by loading are not reported, because they recur when the
   * providers are loaded next.
   *
   * @return how that JVM ended if it ended before all were loaded, as this one would
   */
  public Optional<String> endWhileLoading(Collection<Path> places) {
    Task task = new Task(Tier.QUICK, 0, Duration.ZERO, Run.limit(Tier.QUICK), List.of());
    return Supervision.endWhileLoading(Remade.all(places), task, log);
  }

  /**
   * Sets the consumer of lines that providers print; by default they are written to standard error.
   */
  public SupervisedRunner log(Consumer<String> log) {
    return new SupervisedRunner(runner, Objects.requireNonNull(log, "log"));
  }

  /**
   * Checks the rules on several providers.
   *
   * @throws IllegalStateException if there are none, or two have the same variant
   */
  public List<ConformanceReport> runAll(Collection<? extends FilterProvider> providers) {
    return ConformanceRunner.runAll(providers, this::run);
  }

  /** Checks the rules on one provider. */
  public ConformanceReport run(FilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    Optional<Remade> remade = Remade.of(provider);
    return remade.isEmpty()
        ? runner.run(provider)
        : runner.run(
            provider,
            runner.masterSeed(),
            (same, task) ->
                Supervision.of(remade.get(), task, log)
                    .orElseGet(() -> runner.checkHere(same, task)));
  }
}
