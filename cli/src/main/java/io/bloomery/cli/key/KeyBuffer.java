package io.bloomery.cli.key;

import io.bloomery.hash.KeyForm;
import java.util.Arrays;

/** Bytes of keys, one behind the other. */
public final class KeyBuffer {

  private byte[] bytes = new byte[1 << 12];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  /** Returns the array itself, until more is appended. */
  public byte[] bytes() {
    return bytes;
  }

  /** Forgets what was appended since the size was this. */
  void backTo(int earlier) {
    size = earlier;
  }

  private void makeRoom(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length / 2 * 3));
    }
  }

  /**
   * Appends the key that is written in a form.
   *
   * @throws IllegalArgumentException if it is not; nothing is appended
   */
  void append(KeyForm form, byte[] written, int from, int to) {
    makeRoom(form.maxLength(to - from));
    size = form.apply(written, from, to, bytes, size);
  }

  /** Appends the eight bytes of a number. */
  void appendLittleEndian(long number) {
    makeRoom(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes[size++] = (byte) (number >>> shift);
    }
  }
}
