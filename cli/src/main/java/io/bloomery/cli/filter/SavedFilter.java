package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.LineSelector;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.input.PeekingInput;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Packing;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveState;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilter;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A saved filter that is queried and not changed. A file is mapped, so that it takes no heap, and
 * its checksums are verified before the first answer, as are those of a folder of shards. A pipe is
 * read.
 *
 * @param path the name to show to users
 * @param payloadSize the number of bytes it holds, including those that queries do not read
 * @param sizeInBytes the size of its file
 * @param live the state of its file, if that is a live one
 */
record SavedFilter(
    Path path,
    FilterView view,
    FilterSpec spec,
    String variant,
    FilterLayout layout,
    long payloadSize,
    long sizeInBytes,
    Optional<LiveState> live)
    implements LineSelector {

  private SavedFilter(Path path, StoredFilter filter) {
    this(
        path,
        filter,
        filter.spec(),
        filter.variant(),
        filter.layout(),
        filter.payloadSize(),
        FilterFiles.serializedSize(filter),
        Optional.empty());
  }

  private SavedFilter(Path path, MappedFilter filter) throws IOException {
    this(
        path,
        filter,
        filter.spec(),
        filter.variant(),
        filter.layout(),
        filter.payloadSize(),
        Files.size(path),
        FilterFiles.inspect(path).live());
  }

  /**
   * Opens the filter in a file, in a folder of shards or, if the path is "-", in the standard
   * input.
   *
   * @throws Failure if {@code check} rejects it, or it cannot be read or is damaged
   */
  static SavedFilter open(Session session, Path path, CheckedOpening.Check check)
      throws Failure, IOException {
    FilterFiles files = session.bloomery().files();
    if (StandardStreams.isNamedBy(path)) {
      Path named = StandardStreams.INPUT;
      return CheckedOpening.open(
          named, check, options -> new SavedFilter(named, readAll(files, session.in(), options)));
    }
    if (ShardedFilterFiles.isSharded(path)) {
      ShardedFilterFiles shards = new ShardedFilterFiles(session.bloomery().providers());
      return CheckedOpening.open(path, check, options -> sharded(path, shards, options));
    }
    return CheckedOpening.open(
        path,
        check,
        options ->
            Files.exists(path) && !Files.isRegularFile(path)
                ? new SavedFilter(path, files.openView(path, options))
                : mapped(path, files.map(path, options)));
  }

  private static StoredFilter readAll(FilterFiles files, InputStream in, OpenOptions options)
      throws IOException, Failure {
    PeekingInput bytes = new PeekingInput(in);
    bytes.peek(Packing.HEAD - 1);
    try {
      StoredFilter filter = files.readView(bytes, options);
      if (bytes.read() >= 0) {
        throw new FilterFormatException(
            Reason.TRAILING_BYTES,
            FilterFiles.serializedSize(filter),
            "the filter ends here, but more bytes follow");
      }
      return filter;
    } catch (FilterFormatException e) {
      Packing.refuse(StandardStreams.INPUT, bytes::first, e, true);
      throw e;
    }
  }

  private static SavedFilter mapped(Path path, MappedFilter filter) throws IOException {
    List<DamagedRegion> damage;
    try {
      damage = filter.verify().damage();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (FilterUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (!damage.isEmpty()) {
      throw damaged(damage.get(0));
    }
    return new SavedFilter(path, filter);
  }

  private static SavedFilter sharded(Path folder, ShardedFilterFiles files, OpenOptions options)
      throws IOException {
    ShardedFilter filter = files.map(folder, options);
    for (Map.Entry<Path, VerificationResult> file : files.verify(folder).entrySet()) {
      List<DamagedRegion> damage = file.getValue().damage();
      if (!damage.isEmpty()) {
        throw damaged(damage.get(0)).in(file.getKey());
      }
    }
    return new SavedFilter(
        folder,
        filter,
        filter.spec(),
        filter.variant(),
        filter.layout(),
        filter.payloadSize(),
        filter.serializedSize(),
        Optional.empty());
  }

  private static FilterFormatException damaged(DamagedRegion region) {
    return new FilterFormatException(
        Reason.INVALID, region.from(), "up to byte " + region.to() + ": " + region.reason());
  }

  FilterDescription description() {
    return view.description();
  }

  /**
   * Returns its statistics.
   *
   * @throws Failure if the file has been truncated
   */
  FilterStats stats() throws Failure {
    try {
      return view.stats();
    } catch (FilterUnavailableException e) {
      throw Failure.file(path.toString(), e.getMessage());
    }
  }

  @Override
  public int select(LineBatch batch, int[] hits) throws Failure {
    try {
      return view.select(batch.hashes(), 0, batch.size(), hits);
    } catch (FilterUnavailableException e) {
      throw Failure.file(path.toString(), e.getMessage());
    }
  }
}
