package io.bloomery.conformance;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Runs the rules programmatically and reports the outcome of each. In a test, {@link
 * FilterContract} is simpler. Runners are immutable; each method that sets something returns a new
 * one.
 */
public final class ConformanceRunner {

  /**
   * The number of further seeds with which a nightly run checks the rules of {@link Tier#QUICK}.
   */
  static final int FRESH_SEEDS = 24;

  /** The message if there is nothing to check. */
  static final String NO_PROVIDER =
      "at least one provider must be installed, but ServiceLoader finds none;"
          + " add the variant's module to the class path";

  /**
   * The rule that is checked before all others: how the compiler treats a waiting loop depends on
   * which code of the provider has already run.
   */
  private static final Rule FIRST = Rule.R73;

  private final Tier tier;
  private final OptionalLong seed;
  private final Set<Rule> rules;
  private final Optional<Duration> patience;
  private final Optional<Duration> limit;

  /**
   * Creates a runner of all rules. Tier and seed are read from the system properties of {@link
   * FilterContract}; without a seed, each run draws a new one.
   */
  public ConformanceRunner() {
    this(
        Tier.ofProperty(),
        OptionalLong.empty(),
        EnumSet.allOf(Rule.class),
        Optional.empty(),
        Optional.empty());
  }

  private ConformanceRunner(
      Tier tier,
      OptionalLong seed,
      Set<Rule> rules,
      Optional<Duration> patience,
      Optional<Duration> limit) {
    this.tier = tier;
    this.seed = seed;
    this.rules = rules;
    this.patience = patience;
    this.limit = limit;
  }

  /** Sets the amount of testing. */
  public ConformanceRunner tier(Tier tier) {
    return new ConformanceRunner(
        Objects.requireNonNull(tier, "tier"), seed, rules, patience, limit);
  }

  /** Sets the seed of all random choices, so that a run can be repeated. */
  public ConformanceRunner seed(long seed) {
    return new ConformanceRunner(tier, OptionalLong.of(seed), rules, patience, limit);
  }

  /**
   * Restricts the run to some rules, for example to investigate one.
   *
   * @throws IllegalArgumentException if there are none
   */
  public ConformanceRunner rules(Collection<Rule> rules) {
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("rules must have at least one rule to run, but is empty");
    }
    return new ConformanceRunner(tier, seed, EnumSet.copyOf(rules), patience, limit);
  }

  /** Sets how long to search for a smaller case when a rule fails. */
  ConformanceRunner patience(Duration patience) {
    return new ConformanceRunner(tier, seed, rules, Optional.of(patience), limit);
  }

  /**
   * Sets how long a rule may run without progress before it is considered to hang. The default is
   * 30 seconds in {@link Tier#QUICK}, five minutes in {@link Tier#SMOKE}, 15 in {@link Tier#FULL}
   * and two hours in {@link Tier#NIGHTLY}; filters whose calls go over a network need more in all
   * tiers but the smallest.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ConformanceRunner limit(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("limit must be above 0, but was " + limit);
    }
    return new ConformanceRunner(tier, seed, rules, patience, Optional.of(limit));
  }

  /**
   * Checks the rules on every {@linkplain Bloomery#installed installed} provider.
   *
   * @throws IllegalStateException if there is none
   * @throws java.util.ServiceConfigurationError if a provider cannot be loaded, or two have the
   *     same variant
   */
  public List<ConformanceReport> runInstalled() {
    FilterProviders installed = Bloomery.installed().providers();
    List<VariantProvider> all = new ArrayList<>(installed.all());
    all.addAll(installed.allStatic());
    return runAll(all);
  }

  /**
   * Checks the rules on several providers.
   *
   * @throws IllegalStateException if there are none, or two have the same variant
   */
  public List<ConformanceReport> runAll(Collection<? extends VariantProvider> providers) {
    if (providers.isEmpty()) {
      throw new IllegalStateException(NO_PROVIDER);
    }
    Set<String> variants = new HashSet<>();
    for (VariantProvider provider : providers) {
      if (!variants.add(provider.variant())) {
        throw new IllegalStateException(
            "each provider must have a variant of its own, but two are called "
                + provider.variant()
                + "; rename one, or leave one out of the class path");
      }
    }
    return providers.stream().<ConformanceReport>map(this::run).toList();
  }

  /**
   * Checks the rules on one provider. Concurrent runs have the same results as consecutive ones if
   * there are two cores for each, which rules on threads need.
   *
   * <p>The provider runs in this JVM, and can end it, hang it, or print in it; {@link
   * SupervisedRunner} prevents that.
   */
  public ConformanceReport run(VariantProvider provider) {
    Objects.requireNonNull(provider, "provider");
    return run(
        provider.getClass(),
        masterSeed(),
        parameters -> checkHere(BuiltOnDemand.of(provider), parameters));
  }

  /**
   * Checks the rules with a master seed and, in nightly runs, with further seeds derived from it.
   *
   * @param check checks rules, in this JVM or another
   */
  ConformanceReport run(Class<?> provider, long master, Function<RunParameters, RunResults> check) {
    Instant started = Instant.now();
    long start = System.nanoTime();
    RunResults results = check.apply(parameters(tier, master));
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      outcomes.put(
          rule,
          rules.contains(rule)
              ? results.outcomes().get(rule)
              : Outcome.of(Status.NOT_ASKED, "the run was asked for other rules"));
    }
    List<String> doubts = new ArrayList<>(results.doubts());
    Duration processorTime = results.processorTime();
    List<Long> freshSeeds = tier.isAtLeast(Tier.NIGHTLY) ? freshSeeds(master) : List.of();
    for (long fresh : freshSeeds) {
      RunResults more = check.apply(parameters(Tier.QUICK, fresh));
      addFailures(fresh, more, outcomes);
      more.doubts().forEach(doubt -> doubts.add("with seed " + fresh + ": " + doubt));
      processorTime = processorTime.plus(more.processorTime());
    }
    int needed = rules.size() == Rule.values().length ? tier.choose(1, 1, 5, 5) : 0;
    Set<String> exempt = new HashSet<>(results.rejected());
    if (tier == Tier.SMOKE) {
      exempt.addAll(Coverage.LARGE);
    }
    List<String> missed = results.coverage().missed(exempt, needed);
    if (!missed.isEmpty()) {
      doubts.add("too few cases were tried with " + String.join(", ", missed));
    }
    return new ConformanceReport(
        results.code(provider),
        tier,
        master,
        freshSeeds,
        outcomes,
        results.evidence(),
        results.coverage().counts(),
        needed,
        doubts,
        results.raceSensitivity(),
        results.alphaSpent(),
        started,
        Duration.ofNanos(System.nanoTime() - start),
        processorTime);
  }

  long masterSeed() {
    return seed.orElseGet(Seeds::ofProperty);
  }

  private RunParameters parameters(Tier tier, long seed) {
    return new RunParameters(
        tier,
        seed,
        patience.orElseGet(() -> Run.patience(tier)),
        limit.orElseGet(() -> Run.limit(tier)),
        rules.stream().sorted(Comparator.comparing(rule -> rule != FIRST)).toList());
  }

  private static RunResults checkHere(FilterProvider provider, RunParameters parameters) {
    Duration since = RunResults.processorTimeOfJvm();
    RunResults results = new RunResults(provider.getClass().getSimpleName());
    results.selfCheck(parameters);
    boolean isDone = false;
    while (!isDone) { // beside the threads of rules that hang
      isDone =
          results.check(
              provider, parameters.newRun(drawn -> {}), parameters.rules(), since, what -> {});
      since = RunResults.processorTimeOfJvm();
    }
    return results;
  }

  private static List<Long> freshSeeds(long master) {
    SplittableRandom random = new SplittableRandom(master);
    return LongStream.generate(random::nextLong).limit(FRESH_SEEDS).boxed().toList();
  }

  private static void addFailures(long seed, RunResults more, Map<Rule, Outcome> outcomes) {
    more.outcomes()
        .forEach(
            (rule, outcome) -> {
              if (outcome.status().isFailure() && !outcomes.get(rule).status().isFailure()) {
                String detail = "with seed " + seed + ", tier quick: " + outcome.detail();
                outcomes.put(rule, outcome.saying(detail));
              }
            });
  }
}
