package io.bloomery.cli;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a script that makes a shell complete commands and options. */
@Command(
    name = "generate-completion",
    description = {
      "Print a script by which bash completes the commands and options of bloomery; zsh too, after"
          + " 'autoload -U +X compinit bashcompinit && compinit && bashcompinit'.",
      "Put the line below into ~/.bashrc or ~/.zshrc."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the output cannot be written"},
    footer = "  source <(bloomery generate-completion)")
final class CompletionCommand extends SessionCommand {

  @Override
  public Integer call() throws IOException {
    String name = spec().root().name();
    session().print(AutoComplete.bash(name, spec().root().commandLine()) + "\n");
    return ExitCode.OK;
  }
}
