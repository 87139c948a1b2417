package io.bloomery.cli.redis;

import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.redis.RedisFilter;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Adds lines to a filter on a server. */
@Command(
    name = "add",
    description = {
      "Add the lines of INPUT, or of the standard input, to the filter that URL names.",
      "All programs see each line as soon as it is added; if the command ends early, add the same"
          + " lines again.",
      "The filter is read once at the end, to see whether it holds more than it was made for."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      ExitCode.USAGE_TEXT,
      "3:the filter or the server does not answer, or an input cannot be read",
      RedisCommand.OUTGROWN_TEXT
    },
    footer = "  bloomery redis add 'redis://localhost:6379/0?filter=seen' today.txt")
final class RemoteAddCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON object with what was added.")
  private boolean json;

  @Mixin private RemoteFilterAndLines arguments;

  private long lines;
  private long added;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = arguments.filter();
    Promise promise =
        remote.connected(
            (filters, name) -> {
              RedisFilter filter = filters.open(name);
              Inputs inputs =
                  arguments.lines(
                      session(), arguments.format(session(), remote, Optional.of(filter.spec())));
              inputs.forEachBatch(
                  batch -> {
                    added += filter.putAll(batch.hashes(), 0, batch.size());
                    lines += batch.size();
                  });
              return new Promise(filter.spec(), filter.stats(), added);
            });
    return remote.report(
        session(),
        json,
        promise,
        new Members().with("lines", lines).with("new", added),
        "%,d lines added, about %,d new",
        lines,
        added);
  }
}
