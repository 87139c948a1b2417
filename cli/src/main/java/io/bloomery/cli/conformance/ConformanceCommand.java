package io.bloomery.cli.conformance;

import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Likeness;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Checks variants against all rules of the conformance suite. This class handles only the options,
 * so that building the list of commands does not load the suite.
 */
@Command(
    name = "conformance",
    description = {
      "Check every installed variant against the rules that all filters keep, and report"
          + " what was checked.",
      "Your own variants are checked too: name their jars, or set BLOOMERY_PATH. If a"
          + " variant fails, the rules that it breaks are listed, each with the smallest example"
          + " found and a command that repeats it.",
      "Each variant is checked in a separate JVM, and none of its code runs in this one: if"
          + " it ends that JVM, or hangs, it has broken the rule that was being checked. What it"
          + " prints is shown on standard error."
    },
    exitCodeList = {
      "0:every variant keeps every rule that applies to it",
      "1:a variant breaks a rule",
      "2:wrong usage, or a variant cannot be loaded",
      "3:a file cannot be read, or has no variant",
      "4:none breaks a rule, but a run is inconclusive: a rule could not be checked, too"
          + " few cases of some kind were tried, or the suite did not detect known faults"
    },
    footer = "  bloomery conformance --path acme-filter.jar --provider acme --tier full")
public final class ConformanceCommand extends SessionCommand {

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description = "Check this variant only; may be given more than once.")
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
          "How much to test (default: ${DEFAULT-VALUE}): smoke makes few calls, for filters"
              + " whose calls are slow; quick takes 15 seconds of processor time per variant, full some"
              + " minutes, nightly ten minutes and 10 GB of memory.")
  private String tier;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "The seed of all random choices, to repeat a run (default: a new one, which is"
              + " printed).")
  private Long seed;

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "Check these rules only, such as R11 or R11,R49; may be given more than once.")
  private List<String> rules = List.of();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write a report of each variant into this folder, as JSON and as a page.")
  private Path reports;

  @Option(names = "--list", description = "List the rules, and check nothing.")
  private boolean list;

  @Option(
      names = "--verbose",
      description =
          "Also print how many cases of each class were tried, and which rules took longest.")
  private boolean verbose;

  @Option(names = "--json", description = "Print a JSON array with an object for each variant.")
  private boolean json;

  @Override
  public Integer call() throws Failure, IOException {
    if (list) {
      RuleList.print(session(), json);
      return ExitCode.OK;
    }
    ProviderChecks check =
        ProviderChecks.of(session(), tier, seed, rules, Optional.ofNullable(reports));
    try (PluginPath plugins = PluginPath.of(paths)) {
      Map<String, Class<? extends VariantProvider>> providers =
          chosen(check.variants(plugins.providers()));
      return json ? check.printJson(providers) : check.printText(providers, paths, verbose);
    }
  }

  private Map<String, Class<? extends VariantProvider>> chosen(
      Map<String, Class<? extends VariantProvider>> all) throws Failure {
    if (variants.isEmpty()) {
      return all;
    }
    Map<String, Class<? extends VariantProvider>> chosen = new LinkedHashMap<>();
    for (String variant : variants) {
      if (!all.containsKey(variant)) {
        throw Failure.usage(
            "no provider for variant '"
                + variant
                + "'; installed: "
                + String.join(", ", all.keySet())
                + Likeness.nearest(variant, all.keySet())
                    .map(name -> "; did you mean '" + name + "'?")
                    .orElse(""));
      }
      chosen.put(variant, all.get(variant));
    }
    return chosen;
  }
}
