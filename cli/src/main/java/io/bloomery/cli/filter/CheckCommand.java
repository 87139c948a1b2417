package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.foreign.LineSelector;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.JsonLines;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.redis.RedisCommand;
import io.bloomery.cli.redis.TakesUrl;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.Urls;
import io.bloomery.cli.session.VisibleText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Selects lines by a saved filter, as grep does by a pattern. */
@Command(
    name = "check",
    description = {
      "Print those lines of INPUT, or of the standard input, that may be in the filter in FILE.",
      "Every line that was added is printed; lines that were not added are printed at the"
          + " filter's false-positive rate. Lines are printed as they were read, with their ends; the"
          + " header of CSV is printed first.",
      "FILE may be -, the standard input, if INPUT is not, a folder of shards, or the URL of a"
          + " filter on a Redis server, such as redis://localhost:6379/0?filter=seen.",
      "With --also, lines that may be in any of several filters are printed; with --which as well,"
          + " each line is printed once for each filter that it may be in, behind the file of the"
          + " filter and a tab.",
      "With --json, each selected line is a JSON object in a line of its own: its 'input'"
          + " and 'line', its 'text' and, if it is not the same, its 'key'. A line that is not"
          + " UTF-8 has 'base64' instead of 'text'. With --also, it has its 'filters' too."
    },
    exitCodeList = {
      "0:a line was selected",
      "1:no line was selected",
      ExitCode.USAGE_TEXT,
      RedisCommand.FILE_OR_UNAVAILABLE_TEXT
    },
    footer = "  bloomery check -v seen.bloom urls.txt > new.txt")
public final class CheckCommand extends SessionCommand implements TakesUrl {

  @Option(
      names = {"-v", "--invert-match"},
      description = "Select the lines that are certainly not in the filter instead.")
  private boolean absent;

  @Option(
      names = {"-c", "--count"},
      description = "Print only the number of selected lines.")
  private boolean count;

  @Option(
      names = "--json",
      description = "Print JSON: an object for each line, or one with the counts if -c is given.")
  private boolean json;

  @Option(
      names = "--also",
      paramLabel = "FILE",
      description =
          "A further filter of keys made in the same way, or a folder of shards; may be given more"
              + " than once.")
  private List<Path> others = List.of();

  @Option(
      names = "--which",
      description = "With --also, tell the filters that each line may be in.")
  private boolean which;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "With --format parquet-file, where FILE is a whole Parquet file: the column whose Bloom"
              + " filters are queried. A line may be in it if it may be in any row group. With"
              + " --format paimon, where FILE is an index file: the column, if several have a"
              + " filter.")
  private String column;

  @Mixin private ForeignOptions foreign;

  @Mixin private FilterAndLines arguments;

  private final int[] hits = new int[LineBatch.MAX_LINES];
  private final int[] rest = new int[LineBatch.MAX_LINES];
  private long lines;
  private long selected;

  @Override
  public Integer call() throws Failure, IOException {
    if (which && (others.isEmpty() || absent || count)) {
      throw Failure.usage(
          "--which must be given with --also, and without -v and -c, as it is about filters that a"
              + " line may be in; leave it out");
    }
    boolean isColumn = column != null;
    if (isColumn ? !foreign.mayHaveColumns() || !others.isEmpty() : foreign.isParquetFile()) {
      throw Failure.usage(
          "--column NAME must be given with --format parquet-file, can be with --format paimon, and"
              + " with nothing else; leave it out, or name the format");
    }
    LineSelector filter =
        isColumn
            ? arguments.openColumn(session(), foreign, column)
            : others.isEmpty()
                ? arguments.open(session(), foreign)
                : arguments.open(session(), foreign, others);
    Inputs inputs = arguments.lines(session());
    if (session().quiet()) {
      inputs.forEachBatch(
          batch -> {
            select(filter, batch);
            if (selected > 0) {
              inputs.stop();
            }
          });
    } else if (count) {
      inputs.forEachBatch(batch -> select(filter, batch));
      printCount();
    } else {
      if (session().terminal().out()) {
        inputs.hideProgress();
      }
      if (json) {
        printJson(inputs, filter);
      } else {
        printLines(inputs, filter);
      }
    }
    return selected > 0 ? ExitCode.OK : ExitCode.NONE;
  }

  /**
   * Returns the indices of the selected lines; their number is the increase of {@link #selected}.
   */
  private int[] select(LineSelector filter, LineBatch batch) throws Failure {
    int found = filter.select(batch, hits);
    lines += batch.size();
    selected += absent ? batch.size() - found : found;
    return absent ? others(batch.size(), found) : hits;
  }

  private int[] others(int size, int found) {
    int next = 0;
    int others = 0;
    for (int i = 0; i < size; i++) {
      if (next < found && hits[next] == i) {
        next++;
      } else {
        rest[others++] = i;
      }
    }
    return rest;
  }

  private void printLines(Inputs inputs, LineSelector filter) throws Failure, IOException {
    OutputStream out = session().out();
    inputs.forEachBatch(
        batch -> {
          long before = selected;
          int[] indices = select(filter, batch);
          batch.writeHeader(out);
          if (which && filter instanceof SeveralFilters several) {
            for (int i = 0; i < selected - before; i++) {
              for (String file : several.filesOf(indices[i])) {
                session().print(VisibleText.line(file));
                out.write('\t');
                batch.writeLines(new int[] {indices[i]}, 1, out);
              }
            }
          } else {
            batch.writeLines(indices, (int) (selected - before), out);
          }
          if (batch.isLastForNow()) {
            out.flush();
          }
        });
  }

  private void printJson(Inputs inputs, LineSelector filter) throws Failure, IOException {
    try (JsonLines out = new JsonLines(session().out(), arguments.format())) {
      inputs.forEachBatch(
          batch -> {
            long before = selected;
            int[] indices = select(filter, batch);
            for (int i = 0; i < selected - before; i++) {
              if (filter instanceof SeveralFilters several) {
                out.write(batch, indices[i], several.filesOf(indices[i]));
              } else {
                out.write(batch, indices[i]);
              }
            }
            if (batch.isLastForNow()) {
              out.flush();
            }
          });
    }
  }

  private void printCount() throws IOException {
    if (!json) {
      session().print(selected + "\n");
      return;
    }
    Members members = new Members().with("file", Urls.withoutLogin(arguments.argument()));
    if (!others.isEmpty()) {
      members.with("also", others.stream().map(Path::toString).toList());
    }
    Json.print(session(), members.with("lines", lines).with("selected", selected));
  }
}
