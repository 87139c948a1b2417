package io.bloomery.hash;

import io.bloomery.internal.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of one key, written one part after the other. */
final class KeyBytes {

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8; // what JVMs allow

  private byte[] array = new byte[128];
  private int size;

  byte[] array() {
    return array;
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void put(byte[] bytes) {
    makeRoom(bytes.length);
    System.arraycopy(bytes, 0, array, size, bytes.length);
    size += bytes.length;
  }

  void put(ByteBuffer bytes) {
    int length = bytes.remaining();
    makeRoom(length);
    bytes.get(bytes.position(), array, size, length);
    size += length;
  }

  void putLong(long number) {
    makeRoom(Long.BYTES);
    EIGHT_BYTES.set(array, size, number);
    size += Long.BYTES;
  }

  void putUtf8(CharSequence text) {
    int chars = text.length();
    makeRoom(chars);
    for (int at = 0; at < chars; at++) {
      int character = Utf8.character(text, at);
      int bytes = Utf8.size(character);
      at += bytes >> 2; // four bytes are two chars
      makeRoom(Integer.BYTES);
      FOUR_BYTES.set(array, size, character);
      size += bytes;
    }
  }

  /** Begins a part, which {@link #end} wants to know. */
  int begin() {
    makeRoom(Integer.BYTES);
    size += Integer.BYTES;
    return size;
  }

  /** Ends the part that began there: its length now stands before it. */
  void end(int begin) {
    FOUR_BYTES.set(array, begin - Integer.BYTES, size - begin);
  }

  private void makeRoom(int more) {
    if (more > array.length - size) {
      array = Arrays.copyOf(array, capacity(array.length, size, more));
    }
  }

  static int capacity(int capacity, int size, int more) {
    long needed = (long) size + more;
    if (needed > MAX_ARRAY) {
      throw new IllegalArgumentException(
          "the fields of a key must have less than 2^31 bytes together, but have more than "
              + size);
    }
    return (int) Math.min(MAX_ARRAY, Math.max(needed, 2L * capacity));
  }
}
