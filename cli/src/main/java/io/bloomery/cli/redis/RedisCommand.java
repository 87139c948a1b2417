package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.SessionCommand;
import picocli.CommandLine.Command;

/** The commands for those who look after filters on a Redis server. */
@Command(
    name = "redis",
    description = {
      "Manage filters on a Redis server or Cluster.",
      "'bloomery push' puts a file there, 'bloomery pull' fetches it, and 'bloomery check'"
          + " queries it."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RemoteInfoCommand.class,
      RemoteListCommand.class,
      RemoteAddCommand.class,
      RemoteRebuildCommand.class,
      RemoteAcceptCommand.class,
      RemoteDeleteCommand.class
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      "1:delete: there was nothing",
      ExitCode.USAGE_TEXT,
      RedisCommand.UNAVAILABLE_TEXT,
      RedisCommand.OUTGROWN_TEXT
    },
    commandListHeading = "%nCommands:%n",
    footer = "  bloomery redis info 'redis://localhost:6379/0?filter=seen'")
public final class RedisCommand extends SessionCommand {

  static final String UNAVAILABLE_TEXT = "3:the filter or the server does not answer";

  /** The text of commands that also have a file. */
  public static final String FILE_OR_UNAVAILABLE_TEXT =
      ExitCode.BAD_FILE_TEXT + ", or the filter or the server does not answer";

  static final String OUTGROWN_TEXT =
      "5:done, but the filter holds more keys than it was made for and is wrong more often than"
          + " promised";

  @Override
  public Integer call() {
    spec().commandLine().usage(spec().commandLine().getErr());
    return ExitCode.USAGE;
  }
}
