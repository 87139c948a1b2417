package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterLimits;
import io.bloomery.FilterProvider;
import io.bloomery.FilterUpdate;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

/**
 * A filter whose keys are lines. They are hashed as bytes, so that a program which opens the file
 * for strings agrees about every key that is UTF-8, or, if they are integers, as longs.
 */
final class LineFilter implements Closeable {

  /** Writes the filter where it is to be. */
  private interface Save {
    void run() throws IOException;
  }

  private final Path path;
  private final Filter filter;
  private final InputFormat format;
  private final Save save;
  private final Closeable lock;
  private long lines;
  private long added;

  private LineFilter(Path path, Filter filter, InputFormat format, Save save, Closeable lock) {
    this.path = path;
    this.filter = filter;
    this.format = format;
    this.save = save;
    this.lock = lock;
  }

  /**
   * Takes a new filter that is to be saved, or written to the standard output if that is "-", for
   * keys that are read like this.
   */
  static LineFilter created(Session session, Path path, Filter filter, InputFormat format) {
    return Streams.isStandard(path)
        ? new LineFilter(
            Streams.STANDARD_OUTPUT,
            filter,
            format,
            () -> Bloomery.write(filter, session.out()),
            () -> {})
        : new LineFilter(path, filter, format, () -> Bloomery.save(filter, path), () -> {});
  }

  /**
   * Opens a saved filter to change it, which nobody else does until it is closed.
   *
   * @param secret the hash functions of the secret that was given, if one was
   * @throws Failure if the file cannot be read, is damaged, or holds keys other than lines, or was
   *     made of lines in another way than options or secret say, or others change it for too long
   */
  static LineFilter update(
      Session session,
      Path path,
      InputOptions options,
      Optional<KeyHashes> secret,
      WaitOption waiting)
      throws Failure, IOException {
    return update(session, path, options, secret, waiting, (spec, provider) -> {});
  }

  /**
   * Opens a saved filter from which lines can be removed, to change it.
   *
   * @throws Failure as for {@link #update}, or if they cannot be removed
   */
  static LineFilter updateRemovable(
      Session session,
      Path path,
      InputOptions options,
      Optional<KeyHashes> secret,
      WaitOption waiting)
      throws Failure, IOException {
    return update(
        session,
        path,
        options,
        secret,
        waiting,
        (spec, provider) -> checkRemovable(path, provider));
  }

  private static LineFilter update(
      Session session,
      Path path,
      InputOptions options,
      Optional<KeyHashes> secret,
      WaitOption waiting,
      CheckedProvider.Check check)
      throws Failure, IOException {
    FilterUpdate<Filter> update =
        waiting.begin(
            session, path, patience -> open(session, path, options, secret, patience, check));
    Filter filter = update.filter();
    return new LineFilter(
        path, filter, new Recipe(path, filter.spec()).with(options, secret), update::save, update);
  }

  private static FilterUpdate<Filter> open(
      Session session,
      Path path,
      InputOptions options,
      Optional<KeyHashes> secret,
      Duration patience,
      CheckedProvider.Check check)
      throws Failure, TimeoutException {
    return CheckedProvider.open(
        session.bloomery(),
        path,
        (spec, provider) -> {
          new Recipe(path, spec).with(options, secret);
          check.accept(spec, provider);
        },
        bloomery -> bloomery.update(path, ThreadMode.CONFINED, FilterLimits.HEAP, patience));
  }

  private static void checkRemovable(Path path, FilterProvider provider) throws Failure {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw Failure.usage(
          path
              + " must be of a variant that can remove, but is '"
              + provider.variant()
              + "'; make it with 'bloomery create --variant "
              + DefaultVariants.REMOVABLE
              + "'");
    }
  }

  /** Returns how its keys are read. */
  InputFormat format() {
    return format;
  }

  /**
   * Adds every line of a batch.
   *
   * @throws Failure if there is no room; the file stays as it is
   */
  void add(LineBatch batch) throws Failure {
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
      return OptionalInt.of(bloomery.provider(filter.variant()).plan(filter.spec()).probes());
    } catch (IllegalArgumentException e) {
      // A file may name a spec that nobody would make a filter for.
      return OptionalInt.empty();
    }
  }

  /** Returns how many keys it is made for. */
  long expectedKeys() {
    return filter.spec().expectedKeys();
  }

  /** Saves the filter, in one step. */
  void save() throws Failure, IOException {
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

  /**
   * Says how many lines were added, as JSON or in words with {@code more} about the filter, and
   * whether it has outgrown its promise.
   *
   * @return the exit code
   */
  int report(Session session, boolean json, String more) throws IOException {
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
    out.writeNumberField("sizeInBytes", Bloomery.serializedSize(filter));
    out.writeEndObject();
  }
}
