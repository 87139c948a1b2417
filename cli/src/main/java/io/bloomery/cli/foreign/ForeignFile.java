package io.bloomery.cli.foreign;

import io.bloomery.BloomFilterView;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.input.PeekingInput;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Packing;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterLockedException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.interop.PaimonIndexFile;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A filter file of another system, read into memory as a whole.
 *
 * @param path the name to show to users
 * @param sizeInBytes the size of the file
 */
public record ForeignFile(Path path, ForeignFilter filter, long sizeInBytes) {

  private static final byte[] OUR_START = "BLOOMERY".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PARQUET_START = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /**
   * Reads a filter from a file or, if the path is "-", from the standard input.
   *
   * @throws Failure if it is not a filter of this format, or is one of Bloomery's own, or cannot be
   *     read
   */
  public static ForeignFile read(Session session, Path path, ForeignFormat format) throws Failure {
    if (StandardStreams.isNamedBy(path)) {
      Path named = StandardStreams.INPUT;
      try {
        return read(named, session.in(), format);
      } catch (IOException e) {
        throw failure(named, format, e);
      }
    }
    warnOfName(session, path, format);
    checkNoDirectory(path);
    try (InputStream in = new FileInputStream(path.toFile())) {
      return read(path, in, format);
    } catch (IOException e) {
      throw failure(path, format, e);
    }
  }

  /**
   * Reads the filter of a column of a file index of Paimon.
   *
   * @throws Failure if it is not such a file, is damaged, has no filter of the column, or cannot be
   *     read
   */
  public static ForeignFile ofPaimonColumn(Path path, String column) throws Failure {
    checkNoDirectory(path);
    try {
      Map<String, ForeignFilter> filters = PaimonIndexFile.filters(path);
      ForeignFilter filter = filters.get(column);
      if (filter == null) {
        throw ForeignNames.unknown("--column", column, List.copyOf(filters.keySet()));
      }
      return new ForeignFile(path, filter, Files.size(path));
    } catch (IOException e) {
      throw failure(path, ForeignFormat.PAIMON, e);
    }
  }

  /**
   * Checks that a file is not one of Bloomery's own filters or a whole Parquet file, and warns if
   * its name is of another format.
   *
   * @throws Failure if it is one, or cannot be read
   */
  public static void checkForeign(Session session, Path path, ForeignFormat format) throws Failure {
    warnOfName(session, path, format);
    checkNoDirectory(path);
    try (InputStream in = new FileInputStream(path.toFile())) {
      checkForeign(path, new PeekingInput(in));
    } catch (IOException e) {
      throw failure(path, format, e);
    }
  }

  private static void warnOfName(Session session, Path path, ForeignFormat format) {
    CassandraName.format(path)
        .filter(named -> named != format)
        .ifPresent(
            named ->
                session.warn(
                    "%s is of %s by its name, and with --format %s the keys that it has may seem"
                        + " absent; take --format %s",
                    path, named, format, named));
  }

  /**
   * Opens a file for an update, and locks it.
   *
   * @throws FilterLockedException if others are changing the file for all of {@code patience}
   * @throws Failure if it is not a filter of this format, or cannot be read
   */
  public static ForeignUpdate update(Path path, ForeignFormat format, Duration patience)
      throws Failure, FilterLockedException {
    try {
      return format.update(path, patience);
    } catch (FilterLockedException e) {
      throw e;
    } catch (IOException e) {
      throw failure(path, format, e);
    }
  }

  private static void checkNoDirectory(Path path) throws Failure {
    if (Files.isDirectory(path)) {
      throw Failure.file(path.toString(), "is a directory, not a filter; name the files in it");
    }
  }

  private static void checkForeign(Path path, PeekingInput in) throws Failure, IOException {
    if (in.startsWith(OUR_START)) {
      throw Failure.file(
          path.toString(),
          "is a filter of Bloomery's own, and no other system's; leave out --format");
    }
    if (in.startsWith(PARQUET_START)) {
      throw Failure.file(
          path.toString(),
          "is a whole Parquet file, and not one filter; query a column, as in 'bloomery check"
              + " --format parquet-file --column NAME'");
    }
  }

  private static ForeignFile read(Path path, InputStream in, ForeignFormat format)
      throws Failure, IOException {
    PeekingInput bytes = new PeekingInput(in);
    checkForeign(path, bytes);
    bytes.peek(Packing.HEAD - 1);
    try {
      return new ForeignFile(path, format.readAll(bytes), bytes.taken());
    } catch (FilterFormatException e) {
      if (path.equals(StandardStreams.INPUT) && format != ForeignFormat.DCSO_GZIP) {
        Packing.refuse(path, bytes::first, e, !isBase64(format));
      }
      throw e;
    }
  }

  /**
   * Returns the failure for a file that could not be read as a filter of a format, with the reason
   * and a hint.
   */
  public static Failure failure(Path path, ForeignFormat format, IOException e) {
    String next =
        e instanceof FilterFormatException
            ? "; see that the file is whole, and that --format is the system that wrote it"
            : Failure.isNotOpened(e) ? "; name a filter of " + format : "";
    Optional<String> packing =
        e instanceof FilterFormatException && format != ForeignFormat.DCSO_GZIP
            ? Packing.ofFilter(path, !isBase64(format))
            : Optional.empty();
    return Failure.input(path.toString(), e, packing.orElseGet(() -> Failure.reason(e) + next));
  }

  /** Returns whether files of the format are Base64 themselves. */
  private static boolean isBase64(ForeignFormat format) {
    return switch (format) {
      case DRUID, HUDI, HUDI_DYNAMIC -> true;
      default -> false;
    };
  }

  /** Returns the queries of the filter for lines. */
  public LineSelector asked(LineEncoding encoding) {
    BloomFilterView<byte[]> view = filter.view(encoding.items());
    return (batch, hits) -> {
      int found = 0;
      for (int i = 0; i < batch.size(); i++) {
        if (contains(view, batch, i)) {
          hits[found++] = i;
        }
      }
      return found;
    };
  }

  private static boolean contains(BloomFilterView<byte[]> view, LineBatch batch, int i)
      throws Failure {
    try {
      return view.mightContain(batch.key(i));
    } catch (IllegalArgumentException e) {
      throw Failure.line(batch.name(), batch.number(i), e.getMessage());
    }
  }

  /**
   * Puts the key of a line into a filter, and returns whether it was certainly absent.
   *
   * @throws Failure if the line cannot be a key
   */
  static boolean put(ForeignFilter filter, ItemEncoding<byte[]> items, LineBatch batch, int i)
      throws Failure {
    try {
      return filter.put(batch.key(i), items);
    } catch (IllegalArgumentException e) {
      throw Failure.line(batch.name(), batch.number(i), e.getMessage());
    }
  }
}
