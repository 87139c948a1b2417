package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Adds lines to a saved filter. */
@Command(
    name = "add",
    description = {
      "Add the lines of INPUT, or of the standard input, to the filter in FILE.",
      "FILE stays as it is until the new content is complete, except that of create --live:"
          + " it is not written anew, and keeps lines that were added before one that is refused."
          + " Commands that change FILE at the same time wait for each other, and no lines are"
          + " lost."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      ExitCode.USAGE_TEXT,
      ExitCode.LOCKED_TEXT,
      ExitCode.OUTGROWN_TEXT
    },
    footer = "  bloomery add seen.bloom today.txt")
public final class AddCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON object with what was added.")
  private boolean json;

  @Mixin private WaitOption waiting;

  @Mixin private ForeignOptions foreign;

  @Mixin private FilterAndLines arguments;

  @Override
  public Integer call() throws Failure, IOException {
    try (LineAdditions filter = arguments.update(session(), waiting, foreign)) {
      Inputs lines = arguments.lines(session());
      lines.insteadOfFilters(
          "join filters with 'bloomery merge', as in 'bloomery merge --force -o FILE FILE OTHER'");
      lines.forEachBatch(filter::add);
      filter.save();
      return filter.report(session(), json, "");
    }
  }
}
