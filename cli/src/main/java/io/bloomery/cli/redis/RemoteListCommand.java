package io.bloomery.cli.redis;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.redis.RedisFilters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the filters on a server. */
@Command(
    name = "list",
    description = {
      "Print the names of all filters on a Redis server or Cluster, also of those that do not"
          + " answer, as a URL has them: with %%25, %%26, %%23 and %%3F for %%, &, # and ?; JSON"
          + " has them as they are.",
      "A warning says of each that does not answer why, and what to do. All keys of the"
          + " server are scanned: about a second for each million."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the server does not answer"},
    footer = "  bloomery redis list redis://localhost:6379/0")
final class RemoteListCommand extends SessionCommand implements TakesUrl {

  @Option(names = "--json", description = "Print a JSON array of objects.")
  private boolean json;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description = "The URL of the server, as for push but without a filter.")
  private String url;

  @Override
  public Integer call() throws Failure, IOException {
    SortedMap<String, String> problems =
        RemoteFilter.server(url)
            .connected(
                (filters, none) -> {
                  SortedMap<String, String> found = new TreeMap<>();
                  for (String name : filters.names()) {
                    String problem = problem(filters, name);
                    if (problem != null) {
                      found.put(name, problem);
                    }
                  }
                  return found;
                });
    if (json) {
      List<Members> filters = new ArrayList<>();
      problems.forEach(
          (name, problem) ->
              filters.add(new Members().with("name", name).with("problem", problem)));
      Json.print(session(), filters);
      return ExitCode.OK;
    }
    for (String name : problems.keySet()) {
      session().print(RemoteFilter.inUrl(name) + "\n");
      if (!problems.get(name).isEmpty()) {
        session().warnOfLoss("filter '%s' does not answer: %s", name, problems.get(name));
      }
    }
    return ExitCode.OK;
  }

  /**
   * Returns why a filter does not answer, and what to do; empty if it does, null if there is only
   * what is left of one that has expired.
   */
  private static @Nullable String problem(RedisFilters filters, String name) {
    try {
      filters.open(name);
      return "";
    } catch (FilterUnavailableException e) {
      if (filters.exists(name)) {
        return String.valueOf(e.getMessage());
      }
      return filters.info(name).isEmpty()
          ? null
          : "it has lost its record; rebuild it from its source, or delete what is left";
    }
  }
}
