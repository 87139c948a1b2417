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
 */
final class SavedFilter {

  private final Path path;
  private final FilterView view;
  private final FilterSpec spec;
  private final String variant;
  private final Map<String, Long> layout;
  private final long payloadSize;
  private final long size;

  private SavedFilter(Path path, Filter filter) {
    this.path = path;
    this.view = filter;
    this.spec = filter.spec();
    this.variant = filter.variant();
    this.layout = filter.layout();
    this.payloadSize = filter.payloadSize();
    this.size = Bloomery.serializedSize(filter);
  }

  private SavedFilter(Path path, MappedFilter filter, long size) {
    this.path = path;
    this.view = filter;
    this.spec = filter.spec();
    this.variant = filter.variant();
    this.layout = filter.layout();
    this.payloadSize = filter.payloadSize();
    this.size = size;
  }

  /**
   * Opens the filter in a file or, if that is "-", in the standard input.
   *
   * @throws Failure if {@code check} refuses it, or it cannot be read or is damaged
   */
  static SavedFilter open(Session session, Path path, CheckedProvider.Check check) throws Failure {
    Path named = Streams.isStandard(path) ? Streams.STANDARD_INPUT : path;
    return CheckedProvider.open(
        session.bloomery(),
        named,
        check,
        bloomery -> {
          if (Streams.isStandard(path)) {
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

  /** Returns its name, as the user is to read it. */
  Path path() {
    return path;
  }

  FilterSpec spec() {
    return spec;
  }

  String variant() {
    return variant;
  }

  Map<String, Long> layout() {
    return layout;
  }

  /** Returns how many bytes it holds, not only those that queries look at. */
  long payloadSize() {
    return payloadSize;
  }

  /** Returns how many bytes its file has. */
  long sizeInBytes() {
    return size;
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
