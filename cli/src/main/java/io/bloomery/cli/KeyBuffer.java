package io.bloomery.cli;

import java.util.Arrays;

/** Bytes of keys, one behind the other. */
final class KeyBuffer {

  private byte[] bytes = new byte[1 << 12];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** Returns the array itself, until more is appended. */
  byte[] bytes() {
    return bytes;
  }

  /** Forgets what was appended since the size was this. */
  void backTo(int earlier) {
    size = earlier;
  }

  /** Makes room for so many more bytes, so that {@link #appendInRoom} need not look. */
  void makeRoom(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length / 2 * 3));
    }
  }

  void appendInRoom(byte b) {
    bytes[size++] = b;
  }

  void append(byte[] from, int start, int end) {
    makeRoom(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
  }

  /** Appends the eight bytes of a number. */
  void appendLittleEndian(long number) {
    makeRoom(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      appendInRoom((byte) (number >>> shift));
    }
  }

  void append(byte[] from) {
    append(from, 0, from.length);
  }
}
