package io.bloomery.conformance;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.filter.FilterProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Runs the rules from a program, and tells what came of each. Within a test, {@link FilterContract}
 * is simpler. Runners do not change; each method that sets something returns another one.
 */
public final class ConformanceRunner {

  /** How many further seeds the rules of {@link Tier#QUICK} are run with in a nightly run. */
  static final int FRESH_SEEDS = 60;

  /** What is wrong where there is nothing to check. */
  static final String NO_PROVIDER =
      "at least one provider must be installed, but ServiceLoader finds none;"
          + " add the variant's module to the class path";

  private final Tier tier;
  private final OptionalLong seed;
  private final Set<Rule> rules;

  /**
   * Makes a runner of all rules, with the tier and the seed that system properties give as for
   * {@link FilterContract}.
   */
  public ConformanceRunner() {
    this(Tier.ofProperty(), OptionalLong.empty(), EnumSet.allOf(Rule.class));
  }

  private ConformanceRunner(Tier tier, OptionalLong seed, Set<Rule> rules) {
    this.tier = tier;
    this.seed = seed;
    this.rules = rules;
  }

  /** Sets how much to try. */
  public ConformanceRunner tier(Tier tier) {
    return new ConformanceRunner(Objects.requireNonNull(tier, "tier"), seed, rules);
  }

  /** Sets where all randomness comes from, so that a run can be repeated. */
  public ConformanceRunner seed(long seed) {
    return new ConformanceRunner(tier, OptionalLong.of(seed), rules);
  }

  /**
   * Leaves out all other rules, as when one is looked into.
   *
   * @throws IllegalArgumentException if there are none
   */
  public ConformanceRunner rules(Collection<Rule> rules) {
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("rules must have at least one rule to run, but is empty");
    }
    return new ConformanceRunner(tier, seed, EnumSet.copyOf(rules));
  }

  /**
   * Checks the rules on every provider that is {@linkplain Bloomery#installed installed}.
   *
   * @throws IllegalStateException if there is none
   * @throws java.util.ServiceConfigurationError if one cannot be loaded, or two have one name
   */
  public List<ConformanceReport> runInstalled() {
    return runAll(Bloomery.installed().providers().all());
  }

  /**
   * Checks the rules on each of some providers.
   *
   * @throws IllegalStateException if there is none, or two have one name
   */
  public List<ConformanceReport> runAll(Collection<? extends FilterProvider> providers) {
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
    return providers.stream().map(this::run).toList();
  }

  /**
   * Checks the rules on one provider. Two runs at the same time give the same as one after the
   * other, if there are two cores for each: rules on threads need them.
   */
  public ConformanceReport run(FilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    Instant started = Instant.now();
    long start = System.nanoTime();
    Run run = new Run(tier, masterSeed());
    SelfCheck selfCheck = SelfCheck.of(run.seed());
    Map<Rule, Outcome> outcomes = outcomes(provider, run);
    List<String> doubts = new ArrayList<>(selfCheck.doubts());
    List<Long> freshSeeds =
        tier.isAtLeast(Tier.NIGHTLY)
            ? runFreshSeeds(provider, run.seed(), outcomes, doubts)
            : List.of();
    return new ConformanceReport(
        Origin.of(provider),
        tier,
        run.seed(),
        freshSeeds,
        outcomes,
        run.evidence(),
        doubts,
        selfCheck.raceSensitivity(),
        run.budget().spent(),
        started,
        Duration.ofNanos(System.nanoTime() - start));
  }

  private long masterSeed() {
    // Night after night the same seed would see the same.
    return seed.orElseGet(
        () ->
            tier.isAtLeast(Tier.NIGHTLY) && System.getProperty(Seeds.PROPERTY) == null
                ? new SplittableRandom().nextLong()
                : Seeds.ofProperty());
  }

  private List<Long> runFreshSeeds(
      FilterProvider provider, long master, Map<Rule, Outcome> outcomes, List<String> doubts) {
    SplittableRandom random = new SplittableRandom(master);
    List<Long> seeds = LongStream.generate(random::nextLong).limit(FRESH_SEEDS).boxed().toList();
    for (long fresh : seeds) {
      outcomes(provider, new Run(Tier.QUICK, fresh))
          .forEach(
              (rule, outcome) -> {
                if (outcome.status().isFailure() && !outcomes.get(rule).status().isFailure()) {
                  String detail = "with seed " + fresh + ", tier quick: " + outcome.detail();
                  outcomes.put(rule, new Outcome(outcome.status(), detail, outcome.duration()));
                }
              });
      SelfCheck.of(fresh)
          .doubts()
          .forEach(doubt -> doubts.add("with seed " + fresh + ": " + doubt));
    }
    return seeds;
  }

  private Map<Rule, Outcome> outcomes(FilterProvider provider, Run run) {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      outcomes.put(
          rule,
          rules.contains(rule)
              ? Trial.of(rule, run, provider).outcome()
              : Outcome.of(Status.NOT_ASKED, "the run was asked for other rules"));
    }
    return outcomes;
  }
}
