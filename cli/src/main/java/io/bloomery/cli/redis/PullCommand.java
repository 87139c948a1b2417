package io.bloomery.cli.redis;

import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Saves a filter from a Redis server as a file. */
@Command(
    name = "pull",
    description = {
      "Save the filter that URL names, on a Redis server or Cluster, as a file, the same as"
          + " if it had been filled locally.",
      "Keys that programs add meanwhile may be missing from the file."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, RedisCommand.FILE_OR_UNAVAILABLE_TEXT},
    footer = "  bloomery pull -o seen.bloom 'redis://localhost:6379/0?filter=seen'")
public final class PullCommand extends SessionCommand {

  @Mixin private FilterOutput output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "redisson: URL names an RBloomFilter of Redisson, and FILE is to be of that format, for"
              + " check, info and the like (default: a filter of Bloomery).")
  private String format;

  @Option(names = "--json", description = "Print a JSON object with what was saved.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "Where it is, as for push.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    output.check(session(), json, "choose another name");
    long size = format == null ? saved(remote) : savedForeign(remote);
    if (json) {
      Json.print(
          session(),
          new Members()
              .with("url", remote.url())
              .with("file", output.file().toString())
              .with("sizeInBytes", size));
    } else {
      session().say("%s: %,d bytes saved from %s", output.file(), size, remote.url());
    }
    return ExitCode.OK;
  }

  private long saved(RemoteFilter remote) throws Failure, IOException {
    return remote.connected(
        (filters, name) -> {
          // Copied first, so that an error of the server is not reported as an error of the
          // file.
          Filter copy = filters.open(name).copy();
          output.save(session(), copy);
          return FilterFiles.serializedSize(copy);
        });
  }

  private long savedForeign(RemoteFilter remote) throws Failure, IOException {
    ForeignFilter filter = remote.read(Failure.usageIfRefused(() -> ForeignFormat.named(format)));
    output.save(session(), filter);
    return filter.toBytes().length;
  }
}
