package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.OutputException;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterStats;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignUpdate;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A filter of another system to which lines are added. */
public final class ForeignLines implements LineAdditions {

  /** Writes the filter to its destination. */
  private interface Save {
    void run() throws IOException;
  }

  /**
   * The guarantee requested for a new filter.
   *
   * @param keys the number of distinct keys
   * @param rate the false-positive rate
   */
  public record Asked(long keys, double rate) {}

  private final Path path;
  private final ForeignFilter filter;
  private final LineEncoding encoding;
  private final Optional<Asked> asked;
  private final Save save;
  private final Closeable lock;
  private long lines;
  private long added;

  private ForeignLines(
      Path path,
      ForeignFilter filter,
      LineEncoding encoding,
      Optional<Asked> asked,
      Save save,
      Closeable lock) {
    this.path = path;
    this.filter = filter;
    this.encoding = encoding;
    this.asked = asked;
    this.save = save;
    this.lock = lock;
  }

  /**
   * Returns additions to a new filter, to be saved or, if the path is "-", written to the standard
   * output.
   *
   * @param replace whether a file that exists by then is replaced
   */
  public static ForeignLines created(
      Session session,
      Path path,
      boolean replace,
      ForeignFilter filter,
      LineEncoding encoding,
      Optional<Asked> asked) {
    boolean isOutput = StandardStreams.isNamedBy(path);
    Save toFile = replace ? () -> filter.write(path) : () -> filter.writeNew(path);
    return new ForeignLines(
        isOutput ? StandardStreams.OUTPUT : path,
        filter,
        encoding,
        asked,
        isOutput ? () -> filter.write(session.out()) : toFile,
        () -> {});
  }

  /**
   * Returns additions to a saved filter, which no other process can change until this is closed.
   */
  public static ForeignLines updated(Path path, ForeignUpdate update, LineEncoding encoding) {
    return new ForeignLines(
        path, update.filter(), encoding, Optional.empty(), update::save, update);
  }

  @Override
  public void add(LineBatch batch) throws Failure {
    for (int i = 0; i < batch.size(); i++) {
      try {
        added += ForeignFile.put(filter, encoding.items(), batch, i) ? 1 : 0;
      } catch (FilterFullException e) {
        throw Failure.usage(
            path + " was not saved: " + e.getMessage() + "; create a larger one, or let it grow");
      }
    }
    lines += batch.size();
  }

  @Override
  public void save() throws Failure, IOException {
    try {
      save.run();
    } catch (OutputException e) {
      throw e;
    } catch (IOException e) {
      throw Failure.saving(path, e);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    FilterStats stats = filter.stats();
    boolean outgrown =
        stats.isOverfull()
            || asked
                .filter(wanted -> added > wanted.keys())
                .filter(wanted -> filter.rate().ifIndependent() > wanted.rate()) // by keys alone
                .isPresent();
    if (json) {
      long size = Files.size(path);
      Json.print(
          session,
          out -> {
            out.writeStartObject();
            out.writeStringField("file", path.toString());
            out.writeStringField("format", filter.format().id());
            out.writeStringField("encoding", encoding.name());
            out.writeNumberField("lines", lines);
            out.writeNumberField("new", added);
            out.writeNumberField("estimatedRate", stats.falsePositiveRate());
            out.writeBooleanField("outgrown", outgrown);
            out.writeNumberField("sizeInBytes", size);
            out.writeEndObject();
          });
    } else {
      session.say("%s: %,d lines added, at least %,d new%s", path, lines, added, more);
    }
    if (outgrown) {
      session.warnOfLoss(
          "%s holds more keys than it was made for, so its false-positive rate is now %.3g; create"
              + " a larger one",
          path, stats.falsePositiveRate());
    }
    return outgrown ? ExitCode.OUTGROWN : ExitCode.OK;
  }
}
