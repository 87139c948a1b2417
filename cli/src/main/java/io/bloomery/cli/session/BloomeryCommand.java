package io.bloomery.cli.session;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The top-level command, with the options that all commands inherit. */
@Command(
    name = "bloomery",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    description = "Bloom filters of lines: is this line in that list? Certainly not, or maybe.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success; check: a line was selected; remove: every line was removed; verify: every"
          + " file is undamaged",
      "1:check: no line was selected; remove: a line was absent; redis delete: there was"
          + " nothing to delete; demo, compare, conformance: a promise was broken",
      ExitCode.USAGE_TEXT,
      ExitCode.BAD_FILE_TEXT,
      "4:conformance: a run is inconclusive",
      "5:create, add, merge, dedupe: done, but the filter holds more keys than it was made"
          + " for, so that its false-positive rate is higher than promised",
      "70:internal error, or bloomery cannot be built or started",
      "129, 130, 141, 143:terminated by a signal: a closed terminal, Ctrl-C, a closed pipe, kill"
    },
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloomery create -o words.bloom words.txt",
      "  bloomery check words.bloom candidates.txt",
      "  bloomery check -v words.bloom < candidates.txt   # the certainly absent ones",
      "  sort -u *.log | bloomery create -o seen.bloom    # of any length",
      "  bloomery check --csv email seen.bloom users.csv.gz",
      "  tail -f access.log | bloomery dedupe --window 1M # each line once",
      "",
      "'bloomery COMMAND --help' says more. Large filters need memory: JAVA_OPTS=-Xmx8g",
      "BLOOMERY_PATH lists the jars of further variants, separated by colons:",
      "  BLOOMERY_PATH=acme-filter.jar bloomery demo"
    })
public final class BloomeryCommand implements Callable<Integer> {

  private final Session session;

  @Spec private CommandSpec spec;

  public BloomeryCommand(Session session) {
    this.session = session;
  }

  Session session() {
    return session;
  }

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Print only errors and losses; check prints no lines either.")
  void setQuiet(boolean quiet) {
    session.setQuiet(quiet);
  }

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Also print where in the program an error occurred.")
  void setDebug(boolean debug) {
    session.setDebug(debug);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
