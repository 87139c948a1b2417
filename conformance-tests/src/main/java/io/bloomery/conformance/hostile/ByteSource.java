package io.bloomery.conformance.hostile;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.FailingInput;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** A source of bytes for a reader, of one kind. */
final class ByteSource {

  private static final int LONGEST_STEP = 64;

  private final Reader reader;
  private final IntSupplier taken;
  private final IOException failure; // of the source itself, or null

  private ByteSource(Reader reader, IntSupplier taken, IOException failure) {
    this.reader = reader;
    this.taken = taken;
    this.failure = failure;
  }

  private interface Reader {
    StoredFilter read(Bloomery bloomery, OpenOptions options) throws IOException;
  }

  /**
   * Opens a source.
   *
   * @param salt selects one of several behaviours: the sizes of reads, where bytes end
   * @param file the file to which bytes are written for reading from a file
   */
  static ByteSource of(SourceKind kind, byte[] bytes, int salt, Path file) {
    return switch (kind) {
      case ARRAY -> {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        yield new ByteSource(
            (bloomery, options) -> bloomery.files().readView(buffer, options),
            buffer::position,
            null);
      }
      case FILE -> {
        write(bytes, file);
        yield new ByteSource(
            (bloomery, options) -> bloomery.files().openView(file, options),
            () -> bytes.length,
            null);
      }
      case STREAM -> stream(new ByteArrayInputStream(bytes), bytes.length, null);
      case STUTTERING -> stream(new Stuttering(bytes, salt), bytes.length, null);
      case FAILING -> {
        int end = Integer.remainderUnsigned(salt, bytes.length + 1);
        IOException failure = new IOException("made to fail");
        yield stream(new FailingInput(bytes, end, failure), end, failure);
      }
    };
  }

  private static ByteSource stream(InputStream in, int length, IOException failure) {
    return new ByteSource(
        (bloomery, options) -> bloomery.files().readView(in, options),
        () -> length - available(in),
        failure);
  }

  private static int available(InputStream in) {
    try {
      return in.available();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory do not fail", e);
    }
  }

  private static void write(byte[] bytes, Path file) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary file must take " + bytes.length + " bytes", e);
    }
  }

  /** Reads a filter. */
  StoredFilter read(Bloomery bloomery, ThreadMode mode) throws IOException {
    return reader.read(bloomery, OpenOptions.of(mode));
  }

  /** Returns the number of bytes consumed. */
  int taken() {
    return taken.getAsInt();
  }

  /** Returns whether an exception was thrown by the source itself. */
  boolean threw(IOException e) {
    return e == failure;
  }

  private static final class Stuttering extends ByteArrayInputStream {
    private final int maxLength;
    private int calls;

    Stuttering(byte[] bytes, int salt) {
      super(bytes);
      this.maxLength = salt % 2 == 0 ? 1 : LONGEST_STEP;
      this.calls = salt & 7;
    }

    @Override
    public synchronized int read(byte[] bytes, int from, int length) {
      calls++;
      return calls % 8 == 0 ? 0 : super.read(bytes, from, Math.min(length, 1 + calls % maxLength));
    }
  }
}
