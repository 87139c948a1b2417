package io.bloomery.cli.input;

import java.io.IOException;
import java.io.InputStream;

/** An input whose first bytes can be looked at before they are read, and which counts its bytes. */
public final class PeekingInput extends InputStream {

  /** What is ahead where the input has ended. */
  public static final int END = -1;

  private final InputStream in;
  private final byte[] head = new byte[1 << 13];
  private int from;
  private int to;
  private long taken;
  private boolean ended; // a terminal would go on if it were asked again

  public PeekingInput(InputStream in) {
    this.in = in;
  }

  /**
   * Returns whether the input goes on with these bytes; waits for no more than it takes to tell.
   */
  public boolean startsWith(byte[] start) throws IOException {
    for (int i = 0; i < start.length; i++) {
      if (peek(i) != (start[i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the byte behind the next {@code i}, or {@link #END}; waits for it, and no further. */
  public int peek(int i) throws IOException {
    while (from + i >= to) {
      if (!readMore()) {
        return END;
      }
    }
    return head[from + i] & 0xff;
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

  /** Returns how many bytes were taken from what is behind this. */
  public long taken() {
    return taken;
  }

  /** Returns how many bytes were read from this. */
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
