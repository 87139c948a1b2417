package io.bloomery.cli.key;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A line longer than a buffer, kept in pieces so that it takes no more memory than its own size.
 */
public final class LongLine {

  private final List<byte[]> pieces = new ArrayList<>();
  private long length;

  public void append(byte[] piece) {
    pieces.add(piece);
    length += piece.length;
  }

  /** Removes the last byte if it equals {@code b}, and returns whether it did. */
  public boolean dropLast(byte b) {
    int last = pieces.size() - 1;
    byte[] piece = pieces.get(last);
    if (piece.length == 0 && last > 0) {
      pieces.remove(last);
      return dropLast(b);
    }
    if (piece.length == 0 || piece[piece.length - 1] != b) {
      return false;
    }
    pieces.set(last, Arrays.copyOf(piece, piece.length - 1));
    length--;
    return true;
  }

  public long length() {
    return length;
  }

  public boolean contains(byte b) {
    for (byte[] piece : pieces) {
      for (byte each : piece) {
        if (each == b) {
          return true;
        }
      }
    }
    return false;
  }

  public long hash(KeyHash hash) {
    return hash.hash(pieces);
  }

  public void writeTo(OutputStream out) throws IOException {
    for (byte[] piece : pieces) {
      out.write(piece);
    }
  }

  /**
   * Returns the whole line in one array.
   *
   * @throws OutOfMemoryError if the heap has no room, or the line is longer than the longest array
   */
  public byte[] toBytes() {
    if (length > Integer.MAX_VALUE - Long.BYTES) {
      throw new OutOfMemoryError("a line of " + length + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    int to = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, bytes, to, piece.length);
      to += piece.length;
    }
    return bytes;
  }
}
