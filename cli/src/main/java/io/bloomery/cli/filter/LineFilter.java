package io.bloomery.cli.filter;

import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StoredFilter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A filter whose keys are lines. Lines are hashed as bytes, so that a program that opens the file
 * for strings gets the same result for every key that is UTF-8; integers are hashed as longs.
 */
final class LineFilter extends LineAdditions {

  private final Filter filter;

  private LineFilter(Path path, Filter filter, Save save, Closeable lock) {
    super(path, save, lock);
    this.filter = filter;
  }

  /** Returns additions to a new filter. */
  static LineFilter created(Session session, FilterOutput output, Filter filter) {
    return new LineFilter(output.file(), filter, () -> output.save(session, filter), () -> {});
  }

  /** Returns additions to a saved filter. */
  static LineFilter updated(Path path, FilterUpdate<Filter> update) {
    return new LineFilter(path, update.filter(), update::save, update);
  }

  @Override
  protected long put(LineBatch batch) throws Failure {
    try {
      return filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterFullException e) {
      // The exception of a batch reports its progress, but without saving there is none.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw Failure.usage(path() + " was not saved: " + reason.getMessage());
    }
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
          bloomery.providers().variant(filter.variant()).plan(filter.spec()).probes());
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
  public int report(Session session, boolean json, String more) throws IOException {
    Promise promise = new Promise(filter.spec(), filter.stats(), added());
    report(session, json, more, members(filter, promise));
    return promise.report(session, path());
  }

  /** Returns the members of a report in JSON that describe a filter. */
  static Members members(StoredFilter filter, Promise promise) {
    return new Members()
        .with("variant", filter.variant())
        .with("expectedKeys", filter.spec().expectedKeys())
        .with("targetRate", filter.spec().falsePositiveRate())
        .with("estimatedRate", promise.stats().falsePositiveRate())
        .with("outgrown", promise.isOutgrown())
        .with("sizeInBytes", FilterFiles.serializedSize(filter));
  }
}
