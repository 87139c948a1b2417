package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, RedisCommand.FILE_OR_UNAVAILABLE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  bloomery pull -o seen.bloom 'redis://localhost:6379/0?filter=seen'")
public final class PullCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to save the filter; - is the standard output.")
  private Path file;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  @Option(names = "--json", description = "Print a JSON object with what was saved.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "URL", description = "Where it is, as for push.")
  private String url;

  public PullCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = RemoteFilter.of(url);
    NewFile.check(session, file, json, force, "choose another name");
    long size =
        remote.connected(
            (filters, name) -> {
              // Copied first, so that an error of the server is not reported as an error of the
              // file.
              Filter copy = filters.open(name).copy();
              if (StandardStreams.isNamedBy(file)) {
                FilterFiles.write(copy, session.out());
              } else {
                save(copy);
              }
              return FilterFiles.serializedSize(copy);
            });
    if (json) {
      Json.print(
          session,
          out -> {
            out.writeStartObject();
            out.writeStringField("url", remote.url());
            out.writeStringField("file", file.toString());
            out.writeNumberField("sizeInBytes", size);
            out.writeEndObject();
          });
    } else {
      session.say("%s: %,d bytes saved from %s", file, size, remote.url());
    }
    return ExitCode.OK;
  }

  private void save(Filter filter) throws Failure {
    try {
      if (force) {
        FilterFiles.save(filter, file);
      } else {
        FilterFiles.saveNew(filter, file);
      }
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
  }
}
