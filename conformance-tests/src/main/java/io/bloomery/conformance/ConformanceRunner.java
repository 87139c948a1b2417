package io.bloomery.conformance;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.cases.Coverage;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
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
    return runAll(Bloomery.installed().providers().all());
  }

  /**
   * Checks the rules on several providers.
   *
   * @throws IllegalStateException if there are none, or two have the same variant
   */
  public List<ConformanceReport> runAll(Collection<? extends FilterProvider> providers) {
    return runAll(providers, this::run);
  }

  static List<ConformanceReport> runAll(
      Collection<? extends FilterProvider> providers,
      Function<? super FilterProvider, ConformanceReport> run) {
    if (providers.isEmpty()) {
      throw new IllegalStateException(NO_PROVIDER);
    }
    Set<String> variants = new HashSet<>();
    for (FilterProvider provider : providers) {
      if (!variants.add(provider.variant())) {
        throw new IllegalStateException(
            "each provider must have a variant of its own, but two are called "
                + provider.variant()
                + "; rename one, or leave one out of the class path");
      }
    }
    return providers.stream().<ConformanceReport>map(run).toList();
  }

  /**
   * Checks the rules on one provider. Concurrent runs have the same results as consecutive ones if
   * there are two cores for each, which rules on threads need.
   */
  public ConformanceReport run(FilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    return run(provider, masterSeed(), this::checkHere);
  }

  /** A check of rules with a seed, in this JVM or another. */
  @FunctionalInterface
  interface Check {
    Findings check(FilterProvider provider, Task task);
  }

  /**
   * Checks the rules with a master seed and, in nightly runs, with further seeds derived from it.
   */
  ConformanceReport run(FilterProvider provider, long master, Check check) {
    Instant started = Instant.now();
    long start = System.nanoTime();
    Findings findings = check.check(provider, task(tier, master));
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      outcomes.put(
          rule,
          rules.contains(rule)
              ? findings.outcomes().get(rule)
              : Outcome.of(Status.NOT_ASKED, "the run was asked for other rules"));
    }
    List<String> doubts = new ArrayList<>(findings.doubts());
    List<Long> freshSeeds =
        tier.isAtLeast(Tier.NIGHTLY)
            ? runFreshSeeds(provider, master, outcomes, doubts, check)
            : List.of();
    int needed = rules.size() == Rule.values().length ? tier.choose(1, 1, 5, 5) : 0;
    Set<String> exempt = new HashSet<>(findings.notOffered());
    if (tier == Tier.SMOKE) {
      exempt.addAll(Coverage.LARGE);
    }
    List<String> missed = findings.coverage().missed(exempt, needed);
    if (!missed.isEmpty()) {
      doubts.add("too few cases were tried with " + String.join(", ", missed));
    }
    return new ConformanceReport(
        Origin.of(provider, findings.capabilities()),
        tier,
        master,
        freshSeeds,
        outcomes,
        findings.evidence(),
        findings.coverage().counts(),
        needed,
        doubts,
        findings.raceSensitivity(),
        findings.alphaSpent(),
        started,
        Duration.ofNanos(System.nanoTime() - start));
  }

  long masterSeed() {
    return seed.orElseGet(Seeds::ofProperty);
  }

  private Task task(Tier tier, long seed) {
    return new Task(
        tier,
        seed,
        patience.orElseGet(() -> Run.patience(tier)),
        limit.orElseGet(() -> Run.limit(tier)),
        rules.stream().sorted(Comparator.comparing(rule -> rule != FIRST)).toList());
  }

  Findings checkHere(FilterProvider provider, Task task) {
    Findings findings = new Findings();
    findings.add(SelfCheck.of(task.tier(), task.seed(), task.rules()));
    Run run = new Run(task.tier(), task.seed(), task.patience(), task.limit(), drawn -> {});
    for (Rule rule : task.rules()) {
      findings.add(rule, RuleTrial.of(rule, run, provider).outcome(), run.evidence(rule.id()));
    }
    findings.add(run);
    findings.offers(provider);
    return findings;
  }

  private List<Long> runFreshSeeds(
      FilterProvider provider,
      long master,
      Map<Rule, Outcome> outcomes,
      List<String> doubts,
      Check check) {
    SplittableRandom random = new SplittableRandom(master);
    List<Long> seeds = LongStream.generate(random::nextLong).limit(FRESH_SEEDS).boxed().toList();
    for (long fresh : seeds) {
      Findings findings = check.check(provider, task(Tier.QUICK, fresh));
      findings
          .outcomes()
          .forEach(
              (rule, outcome) -> {
                if (outcome.status().isFailure() && !outcomes.get(rule).status().isFailure()) {
                  String detail = "with seed " + fresh + ", tier quick: " + outcome.detail();
                  outcomes.put(rule, outcome.saying(detail));
                }
              });
      findings.doubts().forEach(doubt -> doubts.add("with seed " + fresh + ": " + doubt));
    }
    return seeds;
  }
}
