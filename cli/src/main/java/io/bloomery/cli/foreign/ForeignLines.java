package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Session;
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
public final class ForeignLines extends LineAdditions {

  /**
   * The guarantee requested for a new filter.
   *
   * @param keys the number of distinct keys
   * @param rate the false-positive rate
   */
  public record Asked(long keys, double rate) {}

  private final ForeignFilter filter;
  private final LineEncoding encoding;
  private final Optional<Asked> asked;

  private ForeignLines(
      Path path,
      ForeignFilter filter,
      LineEncoding encoding,
      Optional<Asked> asked,
      Save save,
      Closeable lock) {
    super(path, save, lock);
    this.filter = filter;
    this.encoding = encoding;
    this.asked = asked;
  }

  /** Returns additions to a new filter. */
  public static ForeignLines created(
      Session session,
      FilterOutput output,
      ForeignFilter filter,
      LineEncoding encoding,
      Optional<Asked> asked) {
    return new ForeignLines(
        output.file(), filter, encoding, asked, () -> output.save(session, filter), () -> {});
  }

  /** Returns additions to a saved filter. */
  public static ForeignLines updated(Path path, ForeignUpdate update, LineEncoding encoding) {
    return new ForeignLines(
        path, update.filter(), encoding, Optional.empty(), update::save, update);
  }

  @Override
  protected long put(LineBatch batch) throws Failure {
    long absent = 0;
    for (int i = 0; i < batch.size(); i++) {
      try {
        absent += ForeignFile.put(filter, encoding.items(), batch, i) ? 1 : 0;
      } catch (FilterFullException e) {
        throw Failure.usage(
            path() + " was not saved: " + e.getMessage() + "; create a larger one, or let it grow");
      }
    }
    return absent;
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    FilterStats stats = filter.stats();
    boolean outgrown =
        stats.isOverfull()
            || asked
                .filter(wanted -> added() > wanted.keys())
                .filter(wanted -> filter.rate().ifIndependent() > wanted.rate()) // by keys alone
                .isPresent();
    Members members =
        new Members()
            .with("format", filter.format().id())
            .with("encoding", encoding.name())
            .with("estimatedRate", stats.falsePositiveRate())
            .with("outgrown", outgrown);
    if (json) {
      members.with("sizeInBytes", Files.size(path()));
    }
    report(session, json, more, members);
    return report(session, path(), outgrown, stats);
  }

  /** Warns if a saved filter is outgrown, and returns the exit code. */
  public static int report(Session session, Path path, boolean outgrown, FilterStats stats) {
    if (outgrown) {
      session.warnOfLoss(
          "%s holds more keys than it was made for, so its false-positive rate is now %.3g; create"
              + " a larger one",
          path, stats.falsePositiveRate());
    }
    return outgrown ? ExitCode.OUTGROWN : ExitCode.OK;
  }
}
