package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.LiveFilter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lines that are in the file of a live filter as soon as they are added, before any save. */
final class LiveLines extends LineAdditions {

  private final Opened opened;

  private LiveLines(Path path, Opened opened, Closeable end) {
    super(path, opened::seal, end);
    this.opened = opened;
  }

  /** A filter whose statistics are read before it is closed. */
  private static final class Opened {

    private final LiveFilter filter;
    private @Nullable FilterStats stats; // null until it is sealed

    Opened(LiveFilter filter) {
      this.filter = filter;
    }

    void seal() throws IOException {
      FilterStats last = filter.stats();
      filter.close();
      stats = last;
    }

    /** Removes a file that was made for lines of which not all came. */
    void endNew() throws IOException {
      filter.close();
      if (stats == null) {
        Files.deleteIfExists(filter.path());
      }
    }
  }

  /** Returns whether a file is a live one, open or sealed. */
  static boolean isLive(Path path) {
    try {
      return Files.isRegularFile(path) && FilterFiles.inspect(path).live().isPresent();
    } catch (IOException e) { // which the command that reads it reports
      return false;
    }
  }

  /** Returns additions to a new live filter, whose file is deleted if it is not saved. */
  static LiveLines created(
      Session session, FilterOutput output, FilterProvider provider, FilterSpec spec)
      throws Failure, IOException {
    Path path = output.file();
    FilterFiles files = session.bloomery().files();
    try {
      Opened opened =
          CheckedOpening.open(
              path,
              header -> {},
              options ->
                  new Opened(files.openOrCreateLive(path, Duration.ZERO, provider, spec, options)));
      return new LiveLines(path, opened, opened::endNew);
    } catch (IllegalArgumentException e) { // a variant that does not live in its file
      throw Failure.usage(e.getMessage());
    } catch (FilterLockedException e) {
      throw Failure.reading(path, e);
    }
  }

  /** Returns additions to a live filter that is there. */
  static LiveLines updated(Path path, LiveFilter filter) {
    return new LiveLines(path, new Opened(filter), filter::close);
  }

  @Override
  protected long put(LineBatch batch) throws Failure {
    try {
      return opened.filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterUnavailableException e) {
      throw Failure.file(path().toString(), e.getMessage());
    }
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    FilterStats stats = Objects.requireNonNull(opened.stats, "saved first");
    Promise promise = new Promise(opened.filter.spec(), stats, added());
    report(session, json, more, LineFilter.members(opened.filter, promise));
    return promise.report(session, path());
  }
}
