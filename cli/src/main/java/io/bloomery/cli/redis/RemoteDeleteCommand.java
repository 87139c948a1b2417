package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.redis.RedisFilterInfo;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a filter on a server, or what is left of one. */
@Command(
    name = "delete",
    description =
        "Delete the filter that URL names with all of its Redis keys, also if it has lost its"
            + " record, or its push or rebuild was interrupted.",
    exitCodeList = {
      "0:something was deleted",
      "1:there was nothing to delete",
      ExitCode.USAGE_TEXT,
      "3:the server does not answer; some of it may be deleted"
    },
    footer = "  bloomery redis delete 'redis://localhost:6379/0?filter=seen'")
final class RemoteDeleteCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON object with what was deleted.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "The filter, as for push.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    Optional<RedisFilterInfo> deleted =
        remote.connected(
            (filters, name) -> {
              Optional<RedisFilterInfo> found = filters.info(name);
              return filters.delete(name) ? found : Optional.empty();
            });
    int keys = deleted.map(RedisFilterInfo::keys).orElse(0);
    remote.report(
        session(),
        json,
        new Members()
            .with(
                "state",
                deleted.map(info -> info.state().name().toLowerCase(Locale.ROOT)).orElse("none"))
            .with("redisKeys", keys),
        "%s, %,d Redis keys",
        words(deleted),
        keys);
    return deleted.isPresent() ? ExitCode.OK : ExitCode.NONE;
  }

  private static String words(Optional<RedisFilterInfo> deleted) {
    if (deleted.isEmpty()) {
      return "there was nothing to delete";
    }
    return switch (deleted.get().state()) {
      case LOST -> "deleted what was left of a filter that had lost its record";
      case LOADING -> "deleted what was loaded of a filter that was not there yet";
      case SERVING, UNAVAILABLE -> "deleted the filter";
    };
  }
}
