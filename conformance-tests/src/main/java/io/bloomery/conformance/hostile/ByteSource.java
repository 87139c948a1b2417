package io.bloomery.conformance.hostile;

import io.bloomery.Bloomery;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A source of bytes for a reader, of one kind. */
abstract class ByteSource {

  private static final int LONGEST_STEP = 64;

  /** Reads a filter. */
  abstract Filter read(Bloomery bloomery, ThreadMode mode) throws IOException;

  /** Returns the number of bytes consumed. */
  abstract int taken();

  /** Returns whether an exception was thrown by the source itself. */
  boolean threw(IOException e) {
    return false;
  }

  /**
   * Opens a source.
   *
   * @param salt selects one of several behaviours: the sizes of reads, where bytes end
   * @param file the file to which bytes are written for reading from a file
   */
  static ByteSource of(Way way, byte[] bytes, int salt, Path file) {
    return switch (way) {
      case ARRAY -> new ArraySource(bytes);
      case FILE -> new FileSource(written(bytes, file), bytes.length);
      case STREAM -> new StreamSource(new ByteArrayInputStream(bytes), bytes.length);
      case STUTTERING -> new StreamSource(new Stuttering(bytes, salt), bytes.length);
      case FAILING -> {
        int end = Integer.remainderUnsigned(salt, bytes.length + 1);
        yield new FailingSource(new ByteArrayInputStream(bytes, 0, end), bytes.length);
      }
    };
  }

  private static Path written(byte[] bytes, Path file) {
    try {
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary file must take " + bytes.length + " bytes", e);
    }
  }

  private static final class ArraySource extends ByteSource {
    private final ByteBuffer buffer;

    ArraySource(byte[] bytes) {
      this.buffer = ByteBuffer.wrap(bytes);
    }

    @Override
    Filter read(Bloomery bloomery, ThreadMode mode) throws IOException {
      return bloomery.files().read(buffer, OpenOptions.of(mode));
    }

    @Override
    int taken() {
      return buffer.position();
    }
  }

  private static final class FileSource extends ByteSource {
    private final Path path;
    private final int length;

    FileSource(Path path, int length) {
      this.path = path;
      this.length = length;
    }

    @Override
    Filter read(Bloomery bloomery, ThreadMode mode) throws IOException {
      return bloomery.files().open(path, OpenOptions.of(mode));
    }

    @Override
    int taken() {
      return length;
    }
  }

  private static class StreamSource extends ByteSource {
    private final InputStream in;
    private final int length;

    StreamSource(InputStream in, int length) {
      this.in = in;
      this.length = length;
    }

    @Override
    Filter read(Bloomery bloomery, ThreadMode mode) throws IOException {
      return bloomery.files().read(in, OpenOptions.of(mode));
    }

    @Override
    int taken() {
      try {
        return length - in.available();
      } catch (IOException e) {
        throw new IllegalStateException("bytes in memory do not fail", e);
      }
    }
  }

  private static final class FailingSource extends StreamSource {
    private final IOException failure;

    FailingSource(ByteArrayInputStream start, int length) {
      this(start, length, length - start.available(), new IOException("made to fail"));
    }

    private FailingSource(InputStream start, int length, int missing, IOException failure) {
      super(new Failing(start, missing, failure), length);
      this.failure = failure;
    }

    @Override
    boolean threw(IOException e) {
      return e == failure;
    }
  }

  /** A stream that fails where another would end. */
  private static final class Failing extends FilterInputStream {
    private final int missing;
    private final IOException failure;

    Failing(InputStream start, int missing, IOException failure) {
      super(start);
      this.missing = missing;
      this.failure = failure;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      if (next < 0) {
        throw failure;
      }
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int read = super.read(bytes, from, length);
      if (read < 0) {
        throw failure;
      }
      return read;
    }

    @Override
    public int available() throws IOException {
      return super.available() + missing;
    }
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
