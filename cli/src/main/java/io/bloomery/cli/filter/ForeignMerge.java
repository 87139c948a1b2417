package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignLines;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterStats;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A merge of filters of another system, in memory.
 *
 * @param sources the filters, of which one may be the output
 */
record ForeignMerge(Session session, ForeignFormat format, List<Path> sources) {

  /** Merges and saves, prints a report unless the filter is printed, and returns the exit code. */
  int save(FilterOutput output, WaitOption waiting, boolean json) throws Failure, IOException {
    List<Path> others = new ArrayList<>(sources);
    Path target = output.file();
    for (Path source : sources) {
      if (!output.isStream() && Files.exists(target) && isSame(target, source)) {
        others.remove(source);
        return update(target, others, waiting, json);
      }
    }
    ForeignFilter union = read(others.remove(0));
    merge(union, others);
    output.save(session, union);
    return report(target, union, output.isStream(), json);
  }

  private static boolean isSame(Path target, Path source) throws IOException {
    return Files.exists(source) && Files.isSameFile(target, source);
  }

  private int update(Path target, List<Path> others, WaitOption waiting, boolean json)
      throws Failure, IOException {
    ForeignFile.checkForeign(session, target, format);
    try (ForeignUpdate update =
        waiting.begin(session, target, patience -> ForeignFile.update(target, format, patience))) {
      merge(update.filter(), others);
      try {
        update.save();
      } catch (IOException e) {
        throw Failure.saving(target, e);
      }
      return report(target, update.filter(), false, json);
    }
  }

  private ForeignFilter read(Path source) throws Failure {
    return ForeignFile.read(session, source, format).filter();
  }

  private void merge(ForeignFilter union, List<Path> others) throws Failure {
    for (Path source : others) {
      ForeignFilter other = read(source);
      try {
        union.putAll(other);
      } catch (IllegalArgumentException e) {
        throw Failure.usage(source + ": " + e.getMessage());
      }
    }
  }

  private int report(Path target, ForeignFilter union, boolean isPrinted, boolean json)
      throws IOException {
    FilterStats stats = union.stats();
    if (!isPrinted) {
      long size = Files.size(target);
      if (json) {
        Json.print(
            session,
            new Members()
                .with("file", target.toString())
                .with("format", union.format().id())
                .with("merged", sources.size())
                .with("outgrown", stats.isOverfull())
                .with("sizeInBytes", size));
      } else {
        session.say("%s: %,d filters merged, %,d bytes", target, sources.size(), size);
      }
    }
    return ForeignLines.report(session, target, stats.isOverfull(), stats);
  }
}
