package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.OutputException;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.RemovableFilter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A filter whose keys are lines. Lines are hashed as bytes, so that a program that opens the file
 * for strings gets the same result for every key that is UTF-8; integers are hashed as longs.
 */
final class LineFilter implements LineAdditions {

  /** Writes the filter to its destination. */
  private interface Save {
    void run() throws IOException;
  }

  private final Path path;
  private final Filter filter;
  private final Save save;
  private final Closeable lock;
  private long lines;
  private long added;

  private LineFilter(Path path, Filter filter, Save save, Closeable lock) {
    this.path = path;
    this.filter = filter;
    this.save = save;
    this.lock = lock;
  }

  /**
   * Returns additions to a new filter, to be saved or, if the path is "-", written to the standard
   * output.
   *
   * @param replace whether a file that exists by then is replaced
   */
  static LineFilter created(Session session, Path path, boolean replace, Filter filter) {
    return StandardStreams.isNamedBy(path)
        ? new LineFilter(
            StandardStreams.OUTPUT,
            filter,
            () -> FilterFiles.write(filter, session.out()),
            () -> {})
        : new LineFilter(
            path,
            filter,
            replace
                ? () -> FilterFiles.save(filter, path)
                : () -> FilterFiles.saveNew(filter, path),
            () -> {});
  }

  /**
   * Returns additions to a saved filter, which no other process can change until this is closed.
   */
  static LineFilter updated(Path path, FilterUpdate<Filter> update) {
    return new LineFilter(path, update.filter(), update::save, update);
  }

  @Override
  public void add(LineBatch batch) throws Failure {
    try {
      added += filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterFullException e) {
      // The exception of a batch reports its progress, but without saving there is none.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw Failure.usage(path + " was not saved: " + reason.getMessage());
    }
    lines += batch.size();
  }

  /** Removes a line of a batch once, and returns whether it was there, or seemed to be. */
  boolean remove(LineBatch batch, int i) {
    return ((RemovableFilter) filter).remove(batch.hashes()[i]);
  }

  /**
   * Returns the current false-positive rate; takes time in proportion to the size of the filter.
   */
  double rate() {
    return filter.stats().falsePositiveRate();
  }

  /** Returns the maximum number of bits of a key, if it is known. */
  OptionalInt probes(Bloomery bloomery) {
    try {
      return OptionalInt.of(
          bloomery.providers().get(filter.variant()).plan(filter.spec()).probes());
    } catch (IllegalArgumentException e) {
      // A file may contain a spec for which no filter would be created.
      return OptionalInt.empty();
    }
  }

  /** Returns the number of keys that the filter is made for. */
  long expectedKeys() {
    return filter.spec().expectedKeys();
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

  /** Allows others to change the file. */
  @Override
  public void close() throws IOException {
    lock.close();
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    Promise promise = new Promise(filter.spec(), filter.stats(), added);
    if (json) {
      Json.print(session, out -> write(out, promise));
    } else {
      session.say("%s: %,d lines added, at least %,d new%s", path, lines, added, more);
    }
    return promise.report(session, path);
  }

  private void write(JsonGenerator out, Promise promise) throws IOException {
    out.writeStartObject();
    out.writeStringField("file", path.toString());
    out.writeStringField("variant", filter.variant());
    out.writeNumberField("lines", lines);
    out.writeNumberField("new", added);
    out.writeNumberField("expectedKeys", filter.spec().expectedKeys());
    out.writeNumberField("targetRate", filter.spec().falsePositiveRate());
    out.writeNumberField("estimatedRate", promise.stats().falsePositiveRate());
    out.writeBooleanField("outgrown", promise.isOutgrown());
    out.writeNumberField("sizeInBytes", FilterFiles.serializedSize(filter));
    out.writeEndObject();
  }
}
