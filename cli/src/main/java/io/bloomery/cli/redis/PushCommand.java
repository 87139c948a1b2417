package io.bloomery.cli.redis;

import io.bloomery.cli.option.PutCheck;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.redis.RedisFilters;
import io.bloomery.redis.RedisMemory;
import io.bloomery.redis.RedisOptions;
import io.bloomery.redis.RedisRebuild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads a saved filter onto a Redis server. */
@Command(
    name = "push",
    description = {
      "Put the filter in FILE on a Redis server or Cluster, where any number of programs"
          + " add to it and query it.",
      "It must be of the variant standard or blocked. URL is that of the server and the name of"
          + " the filter: redis://user:password@host:6379/0?filter=NAME, redis-cluster://... or"
          + " redis-sentinel://host:26379?filter=NAME#PRIMARY; rediss is for TLS. In NAME, %%25,"
          + " %%26, %%23 and %%3F stand for %%, &, # and ?.",
      "It can be queried as soon as it is complete, in one step, and not before; the rest of a push"
          + " that was interrupted is replaced by the next one.",
      "With --force it takes the place of the one of that name, which goes on serving until then:"
          + " the server needs memory for both. What programs add from when the new"
          + " one is begun, after the line about memory, is in it."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, RedisCommand.FILE_OR_UNAVAILABLE_TEXT},
    footer = "  bloomery push seen.bloom 'redis://localhost:6379/0?filter=seen'")
public final class PushCommand extends SessionCommand {

  @Option(names = "--force", description = "Replace the filter of that name if it exists.")
  private boolean force;

  @Mixin private LifeOptions life;

  @Option(names = "--json", description = "Print a JSON object with what was put there.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "FILE", description = "A filter that create made.")
  private Path file;

  @Parameters(index = "1", paramLabel = "URL", description = "Where to put it.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    RedisOptions options = life.options();
    StandardStreams.refuse(file, "it is read again if the server has to be asked twice");
    Filter filter =
        CheckedOpening.open(
            file,
            OpenOptions.shared(),
            header ->
                PutCheck.check(
                    session().bloomery().providers(),
                    file,
                    header.variant(),
                    "make it with 'bloomery create --variant standard' or blocked"),
            reading -> session().bloomery().files().open(file, reading));
    remote.connected(
        options,
        (filters, name) -> {
          boolean fits = true;
          if (force || !filters.exists(name)) {
            List<RedisMemory> memory = filters.memory(name, filter);
            remote.sayMemory(session(), memory);
            fits = memory.stream().noneMatch(RedisMemory::isTooMuch);
          }
          put(filters, name, filter, fits);
          return name;
        });
    if (json) {
      Json.print(
          session(),
          new Members()
              .with("file", file.toString())
              .with("url", remote.url())
              .with("payloadSize", filter.payloadSize()));
    } else {
      session().say("%s: %,d bytes put there", remote.url(), filter.payloadSize());
    }
    return ExitCode.OK;
  }

  private void put(RedisFilters filters, String name, Filter filter, boolean fits)
      throws IOException {
    if (force) {
      try (RedisRebuild rebuild = filters.rebuild(name, filter)) {
        rebuild.load(filter);
        rebuild.commit();
      }
      return;
    }
    try {
      filters.load(name, filter);
    } catch (FilterUnavailableException e) {
      throw e;
    } catch (IllegalStateException e) {
      if (!fits) {
        throw e;
      }
      throw new IllegalStateException(
          e.getMessage()
              + "; from here: 'bloomery push --force', 'bloomery redis rebuild' or 'bloomery redis"
              + " delete'",
          e);
    }
  }
}
