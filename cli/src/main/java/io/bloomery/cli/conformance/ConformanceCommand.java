package io.bloomery.cli.conformance;

import io.bloomery.Bloomery;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Checks variants against all rules of the conformance suite. This class handles only the options,
 * so that building the list of commands does not load the suite.
 */
@Command(
    name = "conformance",
    description = {
      "Hold every installed variant to the rules that all filters keep, and say of each what was"
          + " looked at.",
      "Variants of your own are tested with the rest: name their jars, or set BLOOMERY_PATH. Of one"
          + " that fails, the rules it breaks are listed, each with the smallest example found and"
          + " a command that shows it again.",
      "Each is tested in a Java of its own: one that ends it, or comes to a standstill, has broken"
          + " the rule that was checked."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every variant keeps every rule that applies to it",
      "1:one breaks a rule",
      "2:the command was not understood, or a variant cannot be loaded",
      "3:a file cannot be read, or has no variant",
      "4:none breaks a rule, but a run tested nothing: a rule could not be checked, too few cases"
          + " of some kind were tried, or the suite did not see the faults of a filter that has"
          + " some"
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery conformance --path acme-filter.jar --provider acme --tier full")
public final class ConformanceCommand implements Callable<Integer> {

  /** The environment variable with further variants on the class path. */
  private static final String CLASS_PATH = "BLOOMERY_PATH";

  private final Session session;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Test this variant only; may be given more than once.")
  private List<String> variants = List.of();

  @Option(
      names = PluginPath.OPTION,
      paramLabel = "JAR",
      description =
          "Add the variants in a jar, a folder of classes or a folder of jars; may be given more"
              + " than once.")
  private List<Path> paths = List.of();

  @Option(
      names = "--tier",
      paramLabel = "TIER",
      defaultValue = "quick",
      description =
          "How much to try (if not given: ${DEFAULT-VALUE}): smoke makes few calls, for filters"
              + " whose calls are slow; quick takes ten seconds for a variant, full minutes,"
              + " nightly ten and some 10 GB of memory.")
  private String tier;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "Where all randomness comes from, so that a run can be repeated (if not given: another"
              + " number each time, which is shown).")
  private Long seed;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "Check this rule only, such as R11; may be given more than once.")
  private List<String> rules = List.of();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write a report of each variant into this folder, as JSON and as a page.")
  private Path reports;

  @Option(names = "--list", description = "List the rules, and test nothing.")
  private boolean list;

  @Option(
      names = "--verbose",
      description =
          "Say also how many cases of each class were tried, and which rules took longest.")
  private boolean verbose;

  @Option(names = "--json", description = "Print a JSON array with an object for each variant.")
  private boolean json;

  public ConformanceCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    if (list) {
      RuleList.print(session, json);
      return ExitCode.OK;
    }
    ProviderChecks check =
        ProviderChecks.of(session, tier, seed, rules, Optional.ofNullable(reports));
    try (PluginPath plugins = PluginPath.of(paths)) {
      Collection<FilterProvider> providers = load(check, plugins);
      return json ? check.printJson(providers) : check.printText(providers, paths, verbose);
    }
  }

  private Collection<FilterProvider> load(ProviderChecks check, PluginPath plugins)
      throws Failure, IOException {
    if (!paths.isEmpty() || System.getenv(CLASS_PATH) != null) {
      check.loadElsewhere(plugins.all());
    }
    return chosen(plugins.addedTo(session.bloomery()));
  }

  private Collection<FilterProvider> chosen(Bloomery bloomery) throws Failure {
    if (variants.isEmpty()) {
      return bloomery.providers().all();
    }
    List<FilterProvider> chosen = new ArrayList<>();
    for (String variant : new LinkedHashSet<>(variants)) {
      try {
        chosen.add(bloomery.providers().get(variant));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(e.getMessage());
      }
    }
    return chosen;
  }
}
