package io.bloomery.cli.input;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip, one member after the other (RFC 1952). The stream of the JDK mistakes a pause
 * of a pipe between two members for its end, and ends without an error inside the header of a
 * member.
 */
final class GzipInput extends InputStream {

  /** The start of a member: the two magic bytes, and the only compression method. */
  static final byte[] START = {0x1f, (byte) 0x8b, 8};

  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int FIXED_PART = 6; // of the header, after START and the flags

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[1 << 16];
  private int from;
  private int to;
  private long taken;
  private boolean inMember;
  private boolean ended;

  GzipInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int start, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int read = 0;
    while (read == 0 && beginMember()) {
      read = inflate(bytes, start, length);
      if (inflater.finished()) {
        endMember();
      }
    }
    return read == 0 ? -1 : read;
  }

  /** Begins the next member unless one is open; returns false if there is none. */
  private boolean beginMember() throws IOException {
    if (inMember || ended) {
      return inMember;
    }
    if (taken > 0 && !isMore()) {
      ended = true;
      return false;
    }
    for (byte expected : START) {
      if ((byte) next() != expected) {
        throw new ZipException(
            "byte " + (taken - (to - from) - 1) + ": is not gzip, though what is before it is");
      }
    }
    readHeader();
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  // Tapes, and some programs that write to them, pad with zeros.
  private boolean isMore() throws IOException {
    while (from < to || fill()) {
      if (buffer[from] != 0) {
        return true;
      }
      from++;
    }
    return false;
  }

  private void readHeader() throws IOException {
    int flags = next();
    skipBytes(FIXED_PART);
    if ((flags & EXTRA) != 0) {
      skipBytes(next() | (next() << 8));
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      skipBytes(2);
    }
  }

  private void skipBytes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    int c;
    do {
      c = next();
    } while (c != 0);
  }

  private int inflate(byte[] bytes, int start, int length) throws IOException {
    try {
      int inflated = 0;
      while (inflated == 0 && !inflater.finished()) {
        if (inflater.needsInput()) {
          need();
          inflater.setInput(buffer, from, to - from);
        }
        inflated = inflater.inflate(bytes, start, length);
        from = to - inflater.getRemaining();
      }
      crc.update(bytes, start, inflated);
      return inflated;
    } catch (DataFormatException e) {
      throw damaged();
    }
  }

  private void endMember() throws IOException {
    inMember = false;
    if (nextInt() != crc.getValue() || nextInt() != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw damaged();
    }
  }

  private ZipException damaged() {
    return new ZipException("is gzip that is damaged before byte " + (taken - (to - from)));
  }

  private long nextInt() throws IOException {
    return next() | (next() << 8) | (next() << 16) | ((long) next() << 24);
  }

  private int next() throws IOException {
    need();
    return buffer[from++] & 0xff;
  }

  private void need() throws IOException {
    if (from == to && !fill()) {
      throw new ZipException("is gzip that ends too early, after " + taken + " bytes");
    }
  }

  private boolean fill() throws IOException {
    from = 0;
    to = Math.max(0, in.read(buffer));
    taken += to;
    return to > 0;
  }

  @Override
  public int available() throws IOException {
    return (inMember && !inflater.needsInput()) || from < to ? 1 : in.available();
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
