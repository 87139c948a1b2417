package io.bloomery.cli;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.SessionCommand;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints the same help as {@code --help}. The help command of picocli is not used, since it
 * declares options of its own that every command here inherits already.
 */
@Command(
    name = "help",
    description = "Print the help of COMMAND, as 'COMMAND --help' does.",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the output cannot be written"},
    footer = "  bloomery help create")
final class HelpCommand extends SessionCommand {

  /** The names of all commands, for completion by a shell. */
  static final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return Main.NAMES.iterator();
    }
  }

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      completionCandidates = Names.class,
      description = "The command to explain (default: bloomery as a whole).")
  private String name;

  @Override
  public Integer call() {
    CommandLine all = spec().root().commandLine();
    CommandLine explained = name == null ? all : all.getSubcommands().get(name);
    if (explained == null) {
      throw new UnmatchedArgumentException(all, List.of(name));
    }
    explained.usage(spec().commandLine().getOut());
    return ExitCode.OK;
  }
}
