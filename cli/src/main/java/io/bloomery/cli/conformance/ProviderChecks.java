package io.bloomery.cli.conformance;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Progress;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.SupervisedRunner;
import io.bloomery.conformance.report.Reports;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.SplittableRandom;

/** Runs the conformance suite on one provider after the other and prints the reports. */
final class ProviderChecks {

  /** Receives the report of a provider as soon as it is complete. */
  private interface Action {
    void accept(ConformanceReport report) throws IOException;
  }

  private final Session session;
  private final SupervisedRunner runner;
  private final Optional<Path> reports;

  private ProviderChecks(Session session, ConformanceRunner runner, Optional<Path> reports) {
    this.session = session;
    // The output of providers must not be mistaken for that of this command.
    this.runner =
        SupervisedRunner.of(runner).log(line -> session.err().println(VisibleText.line(line)));
    this.reports = reports;
  }

  /**
   * Returns the checks that the options describe.
   *
   * @param seed null for a random seed
   * @param rules rules, or several separated by commas; empty for all rules
   * @param reports the folder to write reports to, if any
   * @throws Failure if the tier or a rule does not exist
   */
  static ProviderChecks of(
      Session session, String tierName, Long seed, List<String> rules, Optional<Path> reports)
      throws Failure {
    Tier tier = tier(tierName);
    ConformanceRunner runner = new ConformanceRunner().tier(tier);
    if (!rules.isEmpty()) {
      runner = runner.rules(rules(rules));
    }
    if (seed != null) {
      runner = runner.seed(seed);
    } else if (tier == Tier.NIGHTLY) {
      // Printed first, so that a run of an hour can be repeated after it was interrupted.
      long drawn = new SplittableRandom().nextLong();
      session.say("seed %d; --seed %d repeats this run", drawn, drawn);
      runner = runner.seed(drawn);
    }
    return new ProviderChecks(session, runner, reports);
  }

  /**
   * Returns providers by variant.
   *
   * @throws Failure if one cannot be loaded, or two have the same variant
   */
  Map<String, Class<? extends VariantProvider>> variants(
      Collection<Class<? extends VariantProvider>> providers) throws Failure, IOException {
    try {
      return runner.variants(providers);
    } catch (ServiceConfigurationError e) {
      throw Failure.loadingElsewhere(
          String.valueOf(e.getMessage()), PluginPath.OPTION + " or BLOOMERY_PATH", e);
    } catch (IllegalStateException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private static Tier tier(String name) throws Failure {
    return Failure.usageIfRefused(() -> Tier.of(name));
  }

  private static Set<Rule> rules(List<String> names) throws Failure {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    // Not split by picocli, which prints a warning about quotes in them.
    for (String name : String.join(",", names).split(",", -1)) {
      try {
        rules.add(Rule.valueOf(name.strip().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(
            "no rule is named '" + name + "'; 'bloomery conformance --list' lists them");
      }
    }
    return rules;
  }

  /**
   * Prints a line for each provider and details of those that fail, and returns the exit code.
   *
   * @param isVerbose whether to print the number of cases and the slowest rules as well
   */
  int printText(
      Map<String, Class<? extends VariantProvider>> providers, List<Path> paths, boolean isVerbose)
      throws Failure, IOException {
    return run(
        providers,
        report -> {
          session.print(ConformanceText.of(report, paths));
          if (isVerbose) {
            session.print(ConformanceText.more(report));
          }
          session.out().flush();
        });
  }

  /** Prints an array with an object for each provider, and returns the exit code. */
  int printJson(Map<String, Class<? extends VariantProvider>> providers)
      throws Failure, IOException {
    List<ConformanceReport> reports = new ArrayList<>();
    int exitCode = run(providers, reports::add);
    Json.print(session, ConformanceJson.of(reports));
    return exitCode;
  }

  private int run(Map<String, Class<? extends VariantProvider>> providers, Action action)
      throws Failure, IOException {
    Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    int number = 0;
    for (Map.Entry<String, Class<? extends VariantProvider>> provider : providers.entrySet()) {
      ConformanceReport report =
          Progress.during(
              session,
              "testing " + provider.getKey(),
              ++number,
              providers.size(),
              () -> runner.run(provider.getValue()));
      verdicts.add(report.verdict());
      action.accept(report);
      save(report);
    }
    if (verdicts.contains(Verdict.FAIL)) {
      return ExitCode.NONE;
    }
    return verdicts.contains(Verdict.INCONCLUSIVE) ? ExitCode.INCONCLUSIVE : ExitCode.OK;
  }

  private void save(ConformanceReport report) throws Failure {
    if (reports.isPresent()) {
      try {
        Reports.write(reports.get(), report);
      } catch (IOException e) {
        throw Failure.saving(reports.get(), e);
      }
    }
  }
}
