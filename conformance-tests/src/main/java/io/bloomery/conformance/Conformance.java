package io.bloomery.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.EngineFilter.includeEngines;

import io.bloomery.Bloomery;
import io.bloomery.FilterProvider;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the rules from a program, and tells what came of each. Within a test, {@link FilterContract}
 * is simpler.
 */
public final class Conformance {

  // Shrinking runs on a thread of a pool, so a ThreadLocal would not do.
  private static volatile FilterProvider provider;

  private Conformance() {}

  /** Checks every rule on one provider; takes some seconds. Runs wait for each other. */
  public static synchronized ConformanceReport run(FilterProvider provider) {
    Conformance.provider = Objects.requireNonNull(provider, "provider");
    OutcomeListener outcomes = new OutcomeListener();
    LauncherFactory.create(launcher()).execute(request(), outcomes);
    return new ConformanceReport(provider.variant(), Seeds.master(), outcomes.outcomes());
  }

  /**
   * Checks every rule on every provider that is {@linkplain Bloomery#installed installed}.
   *
   * @throws IllegalStateException if there is none
   */
  public static List<ConformanceReport> runInstalled() {
    return atLeastOne(Bloomery.installed().providers()).stream().map(Conformance::run).toList();
  }

  static Collection<FilterProvider> atLeastOne(Collection<FilterProvider> providers) {
    if (providers.isEmpty()) {
      throw new IllegalStateException(
          "at least one provider must be installed, but ServiceLoader finds none;"
              + " add the variant's module to the class path");
    }
    return providers;
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

  private static LauncherDiscoveryRequest request() {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(GivenProvider.class))
        .filters(includeEngines("jqwik"))
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
      return provider;
    }
  }
}
