package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Progress;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * The lines of several inputs: files, and the standard input if no input is named or one is "-".
 * Decompresses gzip, which is recognised by its bytes, and skips a byte order mark at the start.
 * Rejects inputs whose bytes show that they are not lines of UTF-8.
 */
public final class Inputs {

  /** Processes a batch; may fail for reasons of its own. */
  public interface Action {
    void accept(LineBatch batch) throws Failure, IOException;
  }

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final Session session;
  private final List<String> names;
  private final InputFormat format;
  private long done; // bytes of the inputs before the open one
  private PeekingInput open;
  private boolean unpacked; // whether the open input is gzip
  private boolean progress = true;
  private String insteadOfFilters = "name the lines that it was made of";
  private boolean stopped;
  private long keys;

  private Inputs(Session session, List<String> names, InputFormat format) {
    this.session = session;
    this.names = names;
    this.format = format;
  }

  /**
   * Returns inputs of plain lines for names from the command line.
   *
   * @throws Failure if one of them certainly cannot be read
   */
  public static Inputs of(Session session, List<String> names) throws Failure {
    return of(session, names, InputFormat.LINES);
  }

  /**
   * Returns inputs for names from the command line.
   *
   * @throws Failure if one of them certainly cannot be read
   */
  public static Inputs of(Session session, List<String> names, InputFormat format) throws Failure {
    check(names);
    return new Inputs(session, names.isEmpty() ? List.of(StandardStreams.NAME) : names, format);
  }

  /**
   * Checks names from the command line before any other work.
   *
   * @throws Failure if one of them certainly cannot be read
   */
  public static void check(List<String> names) throws Failure {
    for (String name : names) {
      if (!StandardStreams.isNamedBy(name)) {
        check(path(name));
      }
    }
  }

  private static Path path(String name) throws Failure {
    if (name.isEmpty()) {
      throw Failure.usage("INPUT must not be empty; name a file of lines, or - for a pipe");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.name(e);
    }
  }

  private static void check(Path path) throws Failure {
    if (!Files.exists(path)) {
      throw Failure.file(path.toString(), "no such file; name a file of lines, or - for a pipe");
    }
    if (Files.isDirectory(path)) {
      throw Failure.file(path.toString(), "is a directory; name the files in it");
    }
    if (!Files.isReadable(path)) {
      throw Failure.file(path.toString(), "permission denied; see that you may read it");
    }
  }

  /** Returns whether the names include the standard input, as no name at all does. */
  public static boolean haveStandardInput(List<String> names) {
    return names.isEmpty() || names.stream().anyMatch(StandardStreams::isNamedBy);
  }

  /** Returns the name of an input that can be read only once, or null if there is none. */
  public String firstPipe() {
    for (String name : names) {
      if (StandardStreams.isNamedBy(name)) {
        return said(name);
      }
      if (!Files.isRegularFile(Path.of(name))) {
        return name;
      }
    }
    return null;
  }

  /** Shows no progress, for commands that print the lines themselves. */
  public void hideProgress() {
    progress = false;
  }

  /** Sets what to suggest to users who name a filter where lines are expected. */
  public void insteadOfFilters(String next) {
    insteadOfFilters = next;
  }

  /** Counts all lines; requires that each input can be read again. */
  public long countLines() throws Failure {
    long lines = 0;
    for (String name : names) {
      try (RecordReader reader = open(name)) {
        lines += reader.count(new MalformedLines(format.skips()));
      } catch (IOException e) {
        throw failure(name, e);
      }
    }
    return lines;
  }

  /** Passes all lines to an action in order, in batches of lines from one input each. */
  public void forEachBatch(Action action) throws Failure, IOException {
    MalformedLines malformed = new MalformedLines(format.skips());
    LineBatch batch = new LineBatch(format.lineEnd(), format.hash(), malformed);
    boolean firstHeader = true;
    done = 0;
    try (Progress shown = progress ? Progress.start(session, size()) : Progress.NONE) {
      for (String name : names) {
        try (RecordReader reader = open(name)) {
          while (!stopped && fill(batch, reader, name)) {
            if (!firstHeader) {
              batch.dropHeader();
            }
            action.accept(batch);
            firstHeader &= !batch.hasHeader();
            keys += batch.size();
            shown.advance(batch.size(), done + open.taken());
          }
        }
        done += open.taken();
      }
    }
    malformed.report(session);
  }

  /** Returns whether {@link #forEachBatch} has found no line. */
  public boolean wereEmpty() {
    return keys == 0;
  }

  /** Ends {@link #forEachBatch} after the current batch. */
  public void stop() {
    stopped = true;
  }

  private boolean fill(LineBatch batch, RecordReader reader, String name) throws Failure {
    try {
      return reader.fill(batch);
    } catch (Failure e) {
      throw e.with(format.origin());
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  /** Returns the total size of the inputs in bytes as stored, or {@link Progress#UNKNOWN}. */
  private long size() throws IOException {
    if (firstPipe() != null) {
      return Progress.UNKNOWN;
    }
    long bytes = 0;
    for (String name : names) {
      bytes += Files.size(Path.of(name));
    }
    return bytes;
  }

  private RecordReader open(String name) throws Failure {
    try {
      open = new PeekingInput(stream(name));
      PeekingInput in = open;
      unpacked = open.startsWith(GzipInput.START);
      if (unpacked) {
        in = new PeekingInput(new GzipInput(open));
        if (in.startsWith(GzipInput.START)) {
          throw new Foreign.Found(Foreign.TWICE);
        }
      }
      refuseForeign(in);
      if (in.startsWith(BYTE_ORDER_MARK)) {
        in.skipNBytes(BYTE_ORDER_MARK.length);
      }
      return format.reader(said(name), in);
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  /** Rejects inputs whose keys would be garbage. */
  private void refuseForeign(PeekingInput in) throws IOException {
    Optional<Foreign> foreign = Foreign.compression(in);
    if (foreign.isEmpty() && !format.isStated()) {
      foreign = Foreign.filter(in);
    }
    // Text between NULs may contain anything.
    if (foreign.isEmpty() && format.lineEnd() != 0) {
      foreign = Foreign.encoding(in);
    }
    if (foreign.isPresent()) {
      throw new Foreign.Found(foreign.get());
    }
  }

  private InputStream stream(String name) throws IOException {
    if (!StandardStreams.isNamedBy(name)) {
      // For a pipe, only this kind of stream reports how many bytes are available.
      return new FileInputStream(name);
    }
    return new FilterInputStream(session.in()) {
      @Override
      public void close() {
        // A second "-" finds it at its end.
      }
    };
  }

  private Failure failure(String name, IOException e) {
    if (e instanceof Foreign.Found found) {
      if (found.foreign().isFilter()) {
        return Failure.input(said(name), e, found.getMessage() + "; " + insteadOfFilters);
      }
      String file = StandardStreams.isNamedBy(name) ? null : name;
      return Failure.input(said(name), e, found.foreign().words(file, unpacked));
    }
    String reason = Failure.reason(e);
    String next =
        e instanceof ZipException ? "; get the whole of it again" : "; see that it can be read";
    return Failure.input(said(name), e, reason + next);
  }

  private static String said(String name) {
    return StandardStreams.isNamedBy(name) ? StandardStreams.INPUT.toString() : name;
  }
}
