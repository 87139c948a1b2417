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
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * Where the lines come from: files, and the standard input if none is named or one is "-". What
 * gzip made smaller is known by its bytes, and a byte order mark at the start is no part of a line.
 * What is no lines of UTF-8 at all is refused if its bytes tell.
 */
public final class Inputs {

  /** Takes a batch, and may fail on its own account. */
  public interface Action {
    void accept(LineBatch batch) throws Failure, IOException;
  }

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final Session session;
  private final List<String> names;
  private final InputFormat format;
  private long done; // bytes of the inputs before the one that is open
  private PeekingInput open;
  private boolean unpacked; // whether what is open is gzip
  private boolean progress = true;
  private String insteadOfFilters = "name the lines that it was made of";
  private boolean stopped;

  private Inputs(Session session, List<String> names, InputFormat format) {
    this.session = session;
    this.names = names;
    this.format = format;
  }

  /**
   * Takes names of files of plain lines from the command line.
   *
   * @throws Failure if one of them is certain not to be readable
   */
  public static Inputs of(Session session, List<String> names) throws Failure {
    return of(session, names, InputFormat.LINES);
  }

  /**
   * Takes names from the command line.
   *
   * @throws Failure if one of them is certain not to be readable
   */
  public static Inputs of(Session session, List<String> names, InputFormat format) throws Failure {
    check(names);
    return new Inputs(session, names.isEmpty() ? List.of(StandardStreams.NAME) : names, format);
  }

  /**
   * Looks at names from the command line before any work is done for them.
   *
   * @throws Failure if one of them is certain not to be readable
   */
  public static void check(List<String> names) throws Failure {
    for (String name : names) {
      if (!StandardStreams.isNamedBy(name)) {
        check(Path.of(name));
      }
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

  /** Returns whether one of the names, or none at all, means the standard input. */
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

  /** Shows no progress, as the lines themselves are shown. */
  public void hideProgress() {
    progress = false;
  }

  /** Sets what to do for whoever names a filter where lines are expected. */
  public void insteadOfFilters(String next) {
    insteadOfFilters = next;
  }

  /** Counts all lines; each input must be one that can be read again. */
  public long countLines() throws Failure {
    long lines = 0;
    for (String name : names) {
      try (RecordReader reader = open(name)) {
        lines += reader.count();
      } catch (IOException e) {
        throw failure(name, e);
      }
    }
    return lines;
  }

  /** Hands all lines over, batch by batch, in order; each batch is from one input. */
  public void forEachBatch(Action action) throws Failure, IOException {
    LineBatch batch = new LineBatch(format.lineEnd(), format.hash());
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
            shown.advance(batch.size(), done + open.taken());
          }
        }
        done += open.taken();
      }
    }
  }

  /** Ends {@link #forEachBatch} behind the batch that it has handed over. */
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

  /** Returns how many bytes all inputs have, as they are stored, if that can be known. */
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

  /** Lets nothing through whose keys would be garbage. */
  private void refuseForeign(PeekingInput in) throws IOException {
    Optional<Foreign> foreign = Foreign.compression(in);
    if (foreign.isEmpty() && !format.isStated()) {
      foreign = Foreign.filter(in);
    }
    // Between NULs may be anything.
    if (foreign.isEmpty() && format.lineEnd() != 0) {
      foreign = Foreign.encoding(in);
    }
    if (foreign.isPresent()) {
      throw new Foreign.Found(foreign.get());
    }
  }

  private InputStream stream(String name) throws IOException {
    if (!StandardStreams.isNamedBy(name)) {
      // Of a pipe, only this kind of stream knows what is ready to be read.
      return new FileInputStream(name);
    }
    return new FilterInputStream(session.in()) {
      @Override
      public void close() {
        // Named again, it is at its end.
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
    String reason = Failure.reason(Path.of(name), e);
    String next =
        e instanceof ZipException ? "; get the whole of it again" : "; see that it can be read";
    return Failure.input(said(name), e, reason + next);
  }

  private static String said(String name) {
    return StandardStreams.isNamedBy(name) ? StandardStreams.INPUT.toString() : name;
  }
}
