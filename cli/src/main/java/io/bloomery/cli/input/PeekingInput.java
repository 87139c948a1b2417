package io.bloomery.cli.input;

import java.io.IOException;
import java.io.InputStream;

/** An input that allows its next bytes to be read in advance, and counts its bytes. */
public final class PeekingInput extends InputStream {

  /** Returned at the end of the input. */
  public static final int END = -1;

  private final InputStream in;
  private final byte[] head = new byte[1 << 13];
  private int from;
  private int to;
  private long taken;
  private boolean ended; // a terminal would continue if it were read again

  public PeekingInput(InputStream in) {
    this.in = in;
  }

  /** Returns whether the input continues with these bytes; waits for no more bytes than needed. */
  public boolean startsWith(byte[] start) throws IOException {
    for (int i = 0; i < start.length; i++) {
      if (peek(i) != (start[i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the byte after the next {@code i} bytes, or {@link #END}; waits for it, but no further.
   */
  public int peek(int i) throws IOException {
    while (from + i >= to) {
      if (!readMore()) {
        return END;
      }
    }
    return head[from + i] & 0xff;
  }

  /** Returns byte {@code i} of those that were peeked at, also if it was read since. */
  public int first(int i) {
    return i < to ? head[i] & 0xff : END;
  }

  private boolean readMore() throws IOException {
    if (ended) {
      return false;
    }
    int read = in.read(head, to, head.length - to);
    ended = read < 0;
    to += Math.max(0, read);
    taken += Math.max(0, read);
    return read > 0;
  }

  /** Returns the number of bytes read from the underlying input. */
  public long taken() {
    return taken;
  }

  /** Returns the number of bytes read from this input. */
  public long position() {
    return taken - (to - from);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int start, int length) throws IOException {
    if (from < to) {
      int some = Math.min(length, to - from);
      System.arraycopy(head, from, bytes, start, some);
      from += some;
      return some;
    }
    if (ended) {
      return END;
    }
    int read = in.read(bytes, start, length);
    taken += Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long some = Math.min(count, to - from);
    from += (int) some;
    return some;
  }

  @Override
  public int available() throws IOException {
    return to > from ? to - from : in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
