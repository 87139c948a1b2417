package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.DamagedRegion;
import io.bloomery.Filter;
import io.bloomery.FilterDescription;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.FilterUnavailableException;
import io.bloomery.FilterView;
import io.bloomery.MappedFilter;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A saved filter that is asked and not changed. A file is mapped, so that it needs no memory, and
 * compared with its checksums before the first answer; a pipe is read.
 *
 * @param path its name, as the user is to read it
 * @param payloadSize how many bytes it holds, not only those that queries look at
 * @param sizeInBytes how many bytes its file has
 */
record SavedFilter(
    Path path,
    FilterView view,
    FilterSpec spec,
    String variant,
    Map<String, Long> layout,
    long payloadSize,
    long sizeInBytes) {

  private SavedFilter(Path path, Filter filter) {
    this(
        path,
        filter,
        filter.spec(),
        filter.variant(),
        filter.layout(),
        filter.payloadSize(),
        Bloomery.serializedSize(filter));
  }

  private SavedFilter(Path path, MappedFilter filter, long size) {
    this(
        path, filter, filter.spec(), filter.variant(), filter.layout(), filter.payloadSize(), size);
  }

  /**
   * Opens the filter in a file or, if that is "-", in the standard input.
   *
   * @throws Failure if {@code check} refuses it, or it cannot be read or is damaged
   */
  static SavedFilter open(Session session, Path path, CheckedProvider.Check check) throws Failure {
    Path named = StandardStreams.isNamedBy(path) ? StandardStreams.INPUT : path;
    return CheckedProvider.open(
        session.bloomery(),
        named,
        check,
        bloomery -> {
          if (StandardStreams.isNamedBy(path)) {
            return new SavedFilter(named, readAll(session.in(), bloomery));
          }
          return Files.exists(path) && !Files.isRegularFile(path)
              ? new SavedFilter(path, bloomery.open(path, ThreadMode.CONFINED))
              : mapped(path, bloomery);
        });
  }

  private static Filter readAll(InputStream in, Bloomery bloomery) throws IOException {
    Filter filter = bloomery.read(in, ThreadMode.CONFINED);
    if (in.read() >= 0) {
      throw new FilterFormatException(
          Bloomery.serializedSize(filter), "the filter ends here, but more bytes follow");
    }
    return filter;
  }

  private static SavedFilter mapped(Path path, Bloomery bloomery) throws IOException {
    MappedFilter filter = bloomery.map(path);
    List<DamagedRegion> damage;
    try {
      damage = filter.verify();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (FilterUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (!damage.isEmpty()) {
      DamagedRegion first = damage.get(0);
      throw new FilterFormatException(
          first.from(), "up to byte " + first.to() + ": " + first.reason());
    }
    return new SavedFilter(path, filter, Files.size(path));
  }

  FilterDescription description() {
    return view.description();
  }

  /**
   * Returns its statistics.
   *
   * @throws Failure if the file was truncated meanwhile
   */
  FilterStats stats() throws Failure {
    try {
      return view.stats();
    } catch (FilterUnavailableException e) {
      throw Failure.file(path.toString(), e.getMessage());
    }
  }

  /**
   * Finds the hashes that might be contained, as {@link FilterView#select} does.
   *
   * @throws Failure if the file was truncated meanwhile
   */
  int select(LineBatch batch, int[] hits) throws Failure {
    try {
      return view.select(batch.hashes(), 0, batch.size(), hits);
    } catch (FilterUnavailableException e) {
      throw Failure.file(path.toString(), e.getMessage());
    }
  }
}
