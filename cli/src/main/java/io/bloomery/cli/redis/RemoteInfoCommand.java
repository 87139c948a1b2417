package io.bloomery.cli.redis;

import io.bloomery.cli.session.Description;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.filter.FilterSpec;
import io.bloomery.redis.RedisFilterInfo;
import io.bloomery.redis.RedisFilterInfo.State;
import io.bloomery.redis.RedisFilters;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes what is on a server under the name of a filter. */
@Command(
    name = "info",
    description = {
      "Show whether the filter that URL names answers, if not why and what to do, and its"
          + " memory on the server.",
      "For its bits, fetch it with 'bloomery pull' and show them with 'bloomery info'."
    },
    exitCodeList = {"0:the filter answers", ExitCode.USAGE_TEXT, RedisCommand.UNAVAILABLE_TEXT},
    footer = "  bloomery redis info 'redis://localhost:6379/0?filter=seen'")
final class RemoteInfoCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "The filter, as for push.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    Optional<RedisFilterInfo> found = remote.connected(RedisFilters::info);
    if (found.isEmpty()) {
      throw Failure.file(remote.url(), "there is nothing of that name; see 'bloomery redis list'");
    }
    RedisFilterInfo info = found.get();
    describe(remote, info).print(session(), json);
    if (info.state() != State.SERVING) {
      throw Failure.file(remote.url(), info.problem());
    }
    return ExitCode.OK;
  }

  private static Description describe(RemoteFilter remote, RedisFilterInfo info) {
    Description about = new Description("url", remote.url());
    about.fact("state", "state", info.state().name().toLowerCase(Locale.ROOT));
    about.member("problem", info.problem());
    info.header()
        .ifPresent(
            header -> {
              FilterSpec spec = header.spec();
              about.fact("variant", "variant", header.variant());
              about.fact("hash", "hashId", spec.hashId());
              about.fact("key form", "keyForm", spec.keyForm());
              about.fact("expected keys", "expectedKeys", "%,d", spec.expectedKeys());
              about.fact("target rate", "targetRate", "%s", spec.falsePositiveRate());
              about.row("chunks", "%,d", info.chunks());
              about.member("payloadSize", header.payloadSize());
            });
    if (info.generation() > 0) {
      about.row(
          "generation",
          "%,d%s",
          info.generation(),
          info.rebuilding() ? ", and the next is being filled, or that was broken off" : "");
    }
    info.left()
        .ifPresent(
            left -> {
              about.row("life left", "%,d seconds", left.toSeconds());
              about.member("secondsLeft", left.toSeconds());
            });
    about.row("size", "%,d bytes in %,d Redis keys", info.bytes(), info.keys());
    about.member("chunks", info.chunks());
    about.member("generation", info.generation());
    about.member("rebuilding", info.rebuilding());
    about.member("redisKeys", info.keys());
    return about.member("sizeInBytes", info.bytes());
  }
}
