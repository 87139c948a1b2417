package io.bloomery.cli.key;

import io.bloomery.hash.KeyForm;
import java.util.Arrays;

/** A growing buffer with the bytes of keys, one after the other. */
public final class KeyBuffer {

  private byte[] bytes = new byte[1 << 12];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  /** Returns the underlying array, which is valid until more is appended. */
  public byte[] bytes() {
    return bytes;
  }

  /** Discards everything appended after the buffer had this size. */
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
   * @throws IllegalArgumentException if the bytes are not of this form; nothing is appended
   */
  void append(KeyForm form, byte[] written, int from, int to) {
    makeRoom(form.maxLength(to - from));
    size = form.apply(written, from, to, bytes, size);
  }

  /** Appends a number as eight bytes, little-endian. */
  void appendLittleEndian(long number) {
    makeRoom(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes[size++] = (byte) (number >>> shift);
    }
  }
}
