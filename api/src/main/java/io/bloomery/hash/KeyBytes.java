package io.bloomery.hash;

import io.bloomery.internal.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The bytes of one key, written one part after the other. Each thread writes its keys into the same
 * ones, so that most keys need no memory of their own and no thread waits for another.
 */
final class KeyBytes {

  /**
   * What each thread wrote last. Weak, so that a collection takes what is not in use, and a thread
   * that outlives this library keeps nothing of it.
   */
  private static final ThreadLocal<WeakReference<KeyBytes>> LAST = new ThreadLocal<>();

  private static final int FIRST_CAPACITY = 128;
  private static final int MAX_KEPT = 1 << 14;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FOUR_BYTES =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8; // what JVMs allow

  private byte[] array = new byte[FIRST_CAPACITY];
  private int size;
  private boolean taken;

  /**
   * Returns those of this thread, empty, until they are {@linkplain #giveBack given back}; others
   * if a key is being written into them, whose function uses a hasher itself.
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

  /** Lets the next key be written here. */
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
