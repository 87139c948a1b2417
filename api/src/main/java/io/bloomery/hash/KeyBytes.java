package io.bloomery.hash;

import io.bloomery.internal.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer for the bytes of one key, written part by part. Each thread reuses its own buffer, so
 * that most keys need no allocation and no locking.
 */
final class KeyBytes {

  /**
   * The buffer of each thread. Weak, so that an unused buffer can be collected, and a thread that
   * outlives this library does not retain its classes.
   */
  private static final ThreadLocal<WeakReference<KeyBytes>> LAST = new ThreadLocal<>();

  private static final int FIRST_CAPACITY = 128;
  private static final int MAX_KEPT = 1 << 14;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8; // the maximum array length of JVMs

  private byte[] array = new byte[FIRST_CAPACITY];
  private int size;
  private boolean taken;

  /**
   * Returns the buffer of this thread, empty, for use until {@link #giveBack}; or a new buffer if
   * that one is in use, because the function of a field itself calls a hasher.
   */
  static KeyBytes take() {
    WeakReference<KeyBytes> last = LAST.get();
    KeyBytes bytes = last == null ? null : last.get();
    if (bytes == null) {
      bytes = new KeyBytes();
      LAST.set(new WeakReference<>(bytes));
    } else if (bytes.taken) {
      return new KeyBytes();
    }
    bytes.taken = true;
    bytes.size = 0;
    return bytes;
  }

  /** Makes the buffer available for the next key. */
  void giveBack() {
    taken = false;
    if (array.length > MAX_KEPT) {
      array = new byte[FIRST_CAPACITY];
    }
  }

  byte[] array() {
    return array;
  }

  int size() {
    return size;
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
      at += bytes >> 2; // a character of four bytes has two chars
      makeRoom(Integer.BYTES);
      FOUR_BYTES.set(array, size, character);
      size += bytes;
    }
  }

  /** Begins a part and returns its position, for {@link #end}. */
  int begin() {
    makeRoom(Integer.BYTES);
    size += Integer.BYTES;
    return size;
  }

  /** Ends the part that begins at this position: writes its length before it. */
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
