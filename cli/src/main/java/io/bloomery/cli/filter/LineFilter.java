package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.OutputException;
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
 * A filter whose keys are lines. They are hashed as bytes, so that a program which opens the file
 * for strings agrees about every key that is UTF-8, or, if they are integers, as longs.
 */
final class LineFilter implements LineAdditions {

  /** Writes the filter where it is to be. */
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

  /** Takes a new filter that is to be saved, or written to the standard output if that is named. */
  static LineFilter created(Session session, Path path, Filter filter) {
    return StandardStreams.isNamedBy(path)
        ? new LineFilter(
            StandardStreams.OUTPUT,
            filter,
            () -> FilterFiles.write(filter, session.out()),
            () -> {})
        : new LineFilter(path, filter, () -> FilterFiles.save(filter, path), () -> {});
  }

  /** Takes a saved filter that is to be changed, which nobody else does until this is closed. */
  static LineFilter updated(Path path, FilterUpdate<Filter> update) {
    return new LineFilter(path, update.filter(), update::save, update);
  }

  @Override
  public void add(LineBatch batch) throws Failure {
    try {
      added += filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterFullException e) {
      // A batch says how far it came, but what is not saved has not begun.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw Failure.usage(path + " was not saved: " + reason.getMessage());
    }
    lines += batch.size();
  }

  /** Removes a line of a batch once, and returns whether it was there, or seemed so. */
  boolean remove(LineBatch batch, int i) {
    return ((RemovableFilter) filter).remove(batch.hashes()[i]);
  }

  /** Returns its false-positive rate as it stands, which takes time in proportion to its size. */
  double rate() {
    return filter.stats().falsePositiveRate();
  }

  /** Returns how many bits a key has, at most, if that can be known. */
  OptionalInt probes(Bloomery bloomery) {
    try {
      return OptionalInt.of(
          bloomery.providers().get(filter.variant()).plan(filter.spec()).probes());
    } catch (IllegalArgumentException e) {
      // A file may name a spec that nobody would make a filter for.
      return OptionalInt.empty();
    }
  }

  /** Returns how many keys it is made for. */
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

  /** Lets others change the file. */
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
