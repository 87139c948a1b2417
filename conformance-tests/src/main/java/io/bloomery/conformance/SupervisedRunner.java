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
 * Runs the rules as a {@link ConformanceRunner} does, but on each provider in a JVM of its own with
 * the class path and the options of this one. A provider that ends its JVM, or brings it to a
 * standstill, has broken the rule that was checked; the others are then checked in another JVM. So
 * no provider can end a run, or pass by ending it. Runners do not change.
 *
 * <p>The provider is made anew there: by ServiceLoader, or by the only constructor of its class, if
 * that takes no arguments. Where neither is possible, and where no JVM can be started, the rules
 * are checked in this one.
 */
public final class SupervisedRunner {

  private final ConformanceRunner runner;
  private final Consumer<String> log;

  private SupervisedRunner(ConformanceRunner runner, Consumer<String> log) {
    this.runner = runner;
    this.log = log;
  }

  /** Makes one for the tier, the seed and the rules of another runner. */
  public static SupervisedRunner of(ConformanceRunner runner) {
    Objects.requireNonNull(runner, "runner");
    return new SupervisedRunner(runner, System.err::println);
  }

  /**
   * Loads all providers that ServiceLoader finds at some places and on the class path in a JVM of
   * its own. What loading throws is not told: it is seen again where they are loaded next.
   *
   * @return how that JVM ended, if it did before all were loaded, as this one would
   */
  public Optional<String> endWhileLoading(Collection<Path> places) {
    Task task = new Task(Tier.QUICK, 0, Duration.ZERO, Run.limit(Tier.QUICK), List.of());
    return Supervision.endWhileLoading(Remade.all(places), task, log);
  }

  /** Sets where lines go that providers print, which are written to the standard error if unset. */
  public SupervisedRunner log(Consumer<String> log) {
    return new SupervisedRunner(runner, Objects.requireNonNull(log, "log"));
  }

  /**
   * Checks the rules on each of some providers.
   *
   * @throws IllegalStateException if there is none, or two have one name
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
