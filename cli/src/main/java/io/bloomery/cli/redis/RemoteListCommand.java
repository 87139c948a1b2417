package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Session;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the filters on a server. */
@Command(
    name = "list",
    description = {
      "Print the names of all filters on a Redis server or Cluster, also of those that do not answer.",
      "A warning names those that have lost their record, of which chunks are left. All keys of the"
          + " server are looked through: about a second for each million."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the server does not answer"},
    footerHeading = "%nExample:%n",
    footer = "  bloomery redis list redis://localhost:6379/0")
final class RemoteListCommand implements Callable<Integer>, TakesUrl {

  private final Session session;

  @Option(names = "--json", description = "Print a JSON array of objects.")
  private boolean json;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description = "The URL of the server, as for push but without a filter.")
  private String url;

  RemoteListCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    SortedMap<String, Boolean> recorded =
        RemoteFilter.server(url)
            .connected(
                (filters, none) -> {
                  SortedMap<String, Boolean> found = new TreeMap<>();
                  for (String name : filters.names()) {
                    found.put(name, filters.exists(name));
                  }
                  return found;
                });
    if (json) {
      Json.print(
          session,
          out -> {
            out.writeStartArray();
            for (String name : recorded.keySet()) {
              out.writeStartObject();
              out.writeStringField("name", name);
              out.writeBooleanField("record", recorded.get(name));
              out.writeEndObject();
            }
            out.writeEndArray();
          });
      return ExitCode.OK;
    }
    for (String name : recorded.keySet()) {
      session.print(name + "\n");
      if (!recorded.get(name)) {
        session.warnOfLoss(
            "filter '%s' has lost its record; rebuild it from its source, or delete what is left",
            name);
      }
    }
    return ExitCode.OK;
  }
}
