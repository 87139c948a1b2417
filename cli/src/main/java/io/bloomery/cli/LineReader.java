package io.bloomery.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads lines as the bytes they are. A line ends with LF or CRLF, which do not belong to it; the
 * last one may lack its end. A CR anywhere else belongs to its line.
 */
final class LineReader implements AutoCloseable {

  static final int BUFFER = 1 << 16;

  private static final int NOT_FOUND = -1;

  private final InputStream in;
  private final byte[] buffer;
  private int from;
  private int to;
  private int end = NOT_FOUND; // of the line at from, where it was found already
  private int endLength; // of the line that was returned last

  LineReader(InputStream in) {
    this(in, BUFFER);
  }

  LineReader(InputStream in, int bufferSize) {
    this.in = in;
    this.buffer = new byte[bufferSize];
  }

  /** Returns the next line, or null if there are no more. */
  byte[] next() throws IOException {
    if (!findEnd()) {
      return nextAcrossBuffers();
    }
    boolean cr = end > from && buffer[end - 1] == '\r';
    byte[] line = Arrays.copyOfRange(buffer, from, cr ? end - 1 : end);
    endLength = cr ? 2 : 1;
    from = end + 1;
    return line;
  }

  private byte[] nextAcrossBuffers() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(2 * (to - from));
    do {
      line.write(buffer, from, to - from);
      if (!refill()) {
        endLength = 0;
        return line.size() == 0 ? null : line.toByteArray();
      }
    } while (!findEnd());
    line.write(buffer, from, end - from);
    from = end + 1;
    byte[] bytes = line.toByteArray();
    boolean cr = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
    endLength = cr ? 2 : 1;
    return cr ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
  }

  /** Returns how many bytes ended the line that {@link #next} returned: 2, 1, or 0 for none. */
  int endLength() {
    return endLength;
  }

  private boolean findEnd() {
    if (end < from) {
      end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
    }
    if (end == to) {
      end = NOT_FOUND;
    }
    return end != NOT_FOUND;
  }

  private boolean refill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(buffer));
    end = NOT_FOUND;
    return to > 0;
  }

  /** Returns whether {@link #next} can, as far as is known, return without waiting for input. */
  boolean ready() throws IOException {
    return findEnd() || in.available() > 0;
  }

  /** Counts the lines that {@link #next} would return from here. */
  long count() throws IOException {
    long lines = 0;
    boolean begun = false;
    do {
      for (int i = from; i < to; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
      begun = to > from ? buffer[to - 1] != '\n' : begun;
    } while (refill());
    return begun ? lines + 1 : lines;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
