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
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
    // The output of providers must not be mistaken for that of this command, and a provider must
    // not be able to end this process.
    this.runner =
        SupervisedRunner.of(runner).log(line -> session.err().println(VisibleText.line(line)));
    this.reports = reports;
  }

  /**
   * Returns the checks that the options describe.
   *
   * @param seed null for a random seed
   * @param rules empty for all rules
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
   * Loads the variants in another JVM first: a variant that exits the JVM while it is loaded must
   * not end this one, as if all rules were kept.
   *
   * @throws Failure if a variant ends the JVM that loads it
   */
  void loadElsewhere(Collection<Path> places) throws Failure {
    Optional<String> end = runner.endWhileLoading(places);
    if (end.isPresent()) {
      throw Failure.usage(
          "a variant must let the program go on that loads it, but a Java "
              + end.get()
              + " while it did; take it out of "
              + PluginPath.OPTION
              + " or BLOOMERY_PATH");
    }
  }

  private static Tier tier(String name) throws Failure {
    return Failure.usageIfRefused(() -> Tier.of(name));
  }

  private static Set<Rule> rules(List<String> names) throws Failure {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    for (String name : names) {
      try {
        rules.add(Rule.valueOf(name.toUpperCase(Locale.ROOT)));
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
  int printText(Collection<FilterProvider> providers, List<Path> paths, boolean isVerbose)
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
  int printJson(Collection<FilterProvider> providers) throws Failure, IOException {
    List<ConformanceReport> reports = new ArrayList<>();
    int exitCode = run(providers, reports::add);
    Json.print(session, out -> ConformanceJson.write(out, reports));
    return exitCode;
  }

  private int run(Collection<FilterProvider> providers, Action action) throws Failure, IOException {
    if (providers.isEmpty()) {
      throw Failure.usage(
          "no variant is installed, so that nothing would be tested; name a jar with one, as in"
              + " --path acme-filter.jar");
    }
    Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    int number = 0;
    for (FilterProvider provider : providers) {
      ConformanceReport report =
          Progress.during(
              session,
              "testing " + provider.variant(),
              ++number,
              providers.size(),
              () -> runner.run(provider));
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
