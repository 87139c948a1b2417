package io.bloomery.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command above all others: help and version. */
@Command(
    name = "bloomery",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    description = "Bloom filters of lines: is this line in that list? Certainly not, or maybe.",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:well; check: a line was selected; remove: every line was removed",
      "1:check: no line was selected; remove: a line was not there; demo, compare, conformance: a"
          + " promise was broken",
      "2:the command was not understood or cannot be done as asked",
      "3:a file is bad, or cannot be read or written",
      "4:conformance: a run proved nothing"
    },
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloomery create -o words.bloom words.txt",
      "  bloomery check words.bloom candidates.txt",
      "  bloomery check -v words.bloom < candidates.txt   # the certainly absent ones",
      "  sort -u *.log | bloomery create -o seen.bloom    # of any length",
      "",
      "'bloomery COMMAND --help' says more. Large filters need memory: JAVA_OPTS=-Xmx8g",
      "BLOOMERY_PATH lists the jars of further variants, separated by colons:",
      "  BLOOMERY_PATH=acme-filter.jar bloomery demo"
    })
final class BloomeryCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
