package io.bloomery.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

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
import org.junit.platform.engine.FilterResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

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

  // Only one run may be the current one.
  private static final Object ONE_AT_A_TIME = new Object();
  private static volatile FilterProvider given;

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

  /** Checks the rules on one provider. Runs wait for each other. */
  public ConformanceReport run(FilterProvider provider) {
    Objects.requireNonNull(provider, "provider");
    synchronized (ONE_AT_A_TIME) {
      Instant started = Instant.now();
      long start = System.nanoTime();
      Run run = new Run(tier, masterSeed());
      OutcomeListener seen = execute(provider, run);
      Map<Rule, Outcome> outcomes = complete(provider, seen.outcomes());
      List<String> doubts = new ArrayList<>(seen.doubts());
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
          run.allEvidence(),
          doubts,
          run.raceSensitivity(),
          run.alphaSpent(),
          started,
          Duration.ofNanos(System.nanoTime() - start));
    }
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
      OutcomeListener seen = execute(provider, new Run(Tier.QUICK, fresh));
      complete(provider, seen.outcomes())
          .forEach(
              (rule, outcome) -> {
                if (outcome.status().isFailure() && !outcomes.get(rule).status().isFailure()) {
                  String detail = "with seed " + fresh + ", tier quick: " + outcome.detail();
                  outcomes.put(rule, new Outcome(outcome.status(), detail, outcome.duration()));
                }
              });
      seen.doubts().forEach(doubt -> doubts.add("with seed " + fresh + ": " + doubt));
    }
    return seeds;
  }

  private OutcomeListener execute(FilterProvider provider, Run run) {
    OutcomeListener listener = new OutcomeListener();
    given = provider;
    EngineLogs.silenceDuring(() -> Run.within(run, () -> launch(listener, run)));
    return listener;
  }

  // JUnit lets an OutOfMemoryError through, whoever threw it.
  private void launch(OutcomeListener listener, Run run) {
    try {
      LauncherFactory.create(launcher()).execute(request(), listener);
    } catch (OutOfMemoryError e) {
      listener.ended(run.rule(), e);
    }
  }

  /** Holds what was seen against what had to be seen. */
  private Map<Rule, Outcome> complete(FilterProvider provider, Map<Rule, Outcome> seen) {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      Outcome outcome = seen.getOrDefault(rule, Outcome.of(Status.NOT_RUN, "was not run"));
      if (!rules.contains(rule)) {
        outcome = Outcome.of(Status.NOT_ASKED, "the run was asked for other rules");
      } else if (outcome.status() == Status.NOT_APPLICABLE && isOffered(provider, rule)) {
        outcome = Outcome.of(Status.NOT_RUN, "was left out, although it applies");
      }
      outcomes.put(rule, outcome);
    }
    return outcomes;
  }

  private static boolean isOffered(FilterProvider provider, Rule rule) {
    try {
      return rule.capability().isOfferedBy(provider);
    } catch (RuntimeException e) {
      return true;
    }
  }

  // What is registered for the run around this one is none of this run's business.
  private static LauncherConfig launcher() {
    return LauncherConfig.builder()
        .enableTestExecutionListenerAutoRegistration(false)
        .enableLauncherSessionListenerAutoRegistration(false)
        .enableLauncherDiscoveryListenerAutoRegistration(false)
        .enablePostDiscoveryFilterAutoRegistration(false)
        .build();
  }

  private LauncherDiscoveryRequest request() {
    PostDiscoveryFilter asked =
        test ->
            FilterResult.includedIf(
                OutcomeListener.rule(test.getSource()).map(rules::contains).orElse(true));
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(GivenProvider.class))
        .filters(includeEngines("jqwik"), asked)
        .enableImplicitConfigurationParameters(false)
        // No database: it would replay the failing sample of another provider.
        .configurationParameter("jqwik.database", "")
        .configurationParameter("jqwik.failures.after.default", "PREVIOUS_SEED")
        .configurationParameter("jqwik.reporting.onlyfailures", "true")
        .configurationParameter("jqwik.reporting.usejunitplatform", "true")
        .build();
  }

  /** The contract of the provider that a run was given. */
  static final class GivenProvider extends FilterContract {
    @Override
    protected FilterProvider provider() {
      return given;
    }
  }
}
