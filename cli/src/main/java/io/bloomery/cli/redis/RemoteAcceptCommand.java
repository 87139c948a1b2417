package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Accepts the servers of a filter after a restart or a promotion. */
@Command(
    name = "accept",
    description = {
      "Accept the servers that the filter is on now: after one was restarted or promoted, or has"
          + " joined a Cluster.",
      "Do so only if no data was lost, or if lines that were added last may be called absent;"
          + " otherwise rebuild the filter."
    },
    exitCodeList = {"0:the filter answers", ExitCode.USAGE_TEXT, RedisCommand.UNAVAILABLE_TEXT},
    footer = "  bloomery redis accept 'redis://localhost:6379/0?filter=seen'")
final class RemoteAcceptCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON object with what was accepted.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "The filter, as for push.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    long generation =
        remote.connected(
            (filters, name) -> {
              filters.accept(name);
              return filters.open(name).generation();
            });
    remote.report(
        session(),
        json,
        new Members().with("generation", generation),
        "accepted; generation %,d answers",
        generation);
    return ExitCode.OK;
  }
}
