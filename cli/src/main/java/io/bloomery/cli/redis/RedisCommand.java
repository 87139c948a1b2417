package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The commands for those who look after filters on a Redis server. */
@Command(
    name = "redis",
    description = {
      "Manage filters on a Redis server or Cluster.",
      "'bloomery push' puts a file there, 'bloomery pull' fetches it, and 'bloomery check'"
          + " queries it."
    },
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      ExitCode.OK_TEXT,
      "1:delete: there was nothing",
      ExitCode.USAGE_TEXT,
      RedisCommand.UNAVAILABLE_TEXT,
      RedisCommand.OUTGROWN_TEXT
    },
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExample:%n",
    footer = "  bloomery redis info 'redis://localhost:6379/0?filter=seen'")
public final class RedisCommand implements Callable<Integer> {

  static final String UNAVAILABLE_TEXT = "3:the filter or the server does not answer";

  /** The text of commands that also have a file. */
  public static final String FILE_OR_UNAVAILABLE_TEXT =
      ExitCode.BAD_FILE_TEXT + ", or the filter or the server does not answer";

  static final String OUTGROWN_TEXT =
      "5:done, but the filter holds more keys than it was made for and is wrong more often than"
          + " promised";

  @Spec private CommandSpec spec;

  private RedisCommand() {}

  /** Returns the command with its own commands. */
  public static CommandLine of(Session session) {
    CommandLine all = new CommandLine(new RedisCommand());
    for (Object each :
        List.of(
            new RemoteInfoCommand(session),
            new RemoteListCommand(session),
            new RemoteAddCommand(session),
            new RemoteRebuildCommand(session),
            new RemoteAcceptCommand(session),
            new RemoteDeleteCommand(session))) {
      all.addSubcommand(each);
    }
    return all;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
