package io.bloomery.interop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a key as another system hashes them, or a long if it hashes longs, and variables for
 * the hashes. Each thread has one, so that a query allocates nothing.
 */
final class Item {

  private static final int KEPT = 1 << 16;
  private static final ThreadLocal<Item> OWN = ThreadLocal.withInitial(Item::new);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  byte[] bytes = new byte[256];
  int length;

  /** Whether the item is {@link #value} and not bytes. */
  boolean isLong;

  /** Whether the system ignores the key. */
  boolean isIgnored;

  long value;
  long h1;
  long h2;

  private @Nullable HighwayHash highway; // of the threads that need it

  /** Sets h1 and h2 to Redisson's hash of the bytes. */
  void highway() {
    if (highway == null) {
      highway = new HighwayHash();
    }
    highway.hash(this);
  }

  /** Returns the item of this thread, with its previous content. */
  static Item own() {
    return OWN.get();
  }

  /** Makes the item empty, and frees the memory of a very long key. */
  void clear() {
    length = 0;
    isLong = false;
    isIgnored = false;
    if (bytes.length > KEPT) {
      bytes = new byte[256];
    }
  }

  /** Ensures capacity for a number of bytes and one more, which bits-and-blooms appends. */
  void room(long size) {
    if (size >= bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(size + 1, 2L * bytes.length)));
    }
  }

  void add(byte[] more) {
    room((long) length + more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  void addLittleEndian(long number) {
    room((long) length + Long.BYTES);
    LONGS.set(bytes, length, number);
    length += Long.BYTES;
  }

  void addLittleEndian(int number) {
    room((long) length + Integer.BYTES);
    INTS.set(bytes, length, number);
    length += Integer.BYTES;
  }

  void addLittleEndian(char number) {
    room((long) length + Character.BYTES);
    bytes[length++] = (byte) number;
    bytes[length++] = (byte) (number >>> Byte.SIZE);
  }

  void add(byte one) {
    room((long) length + 1);
    bytes[length++] = one;
  }

  /** Appends UTF-8 with a question mark for each unpaired surrogate, as {@code String.getBytes}. */
  void addUtf8(String text) {
    room(length + 3L * text.length());
    byte[] into = bytes;
    int at = length;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        into[at++] = (byte) c;
      } else if (c < 0x800) {
        into[at++] = (byte) (0xc0 | c >> 6);
        into[at++] = (byte) (0x80 | (c & 0x3f));
      } else if (!Character.isSurrogate(c)) {
        into[at++] = (byte) (0xe0 | c >> 12);
        into[at++] = (byte) (0x80 | (c >> 6 & 0x3f));
        into[at++] = (byte) (0x80 | (c & 0x3f));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        int point = Character.toCodePoint(c, text.charAt(++i));
        into[at++] = (byte) (0xf0 | point >> 18);
        into[at++] = (byte) (0x80 | (point >> 12 & 0x3f));
        into[at++] = (byte) (0x80 | (point >> 6 & 0x3f));
        into[at++] = (byte) (0x80 | (point & 0x3f));
      } else {
        into[at++] = '?';
      }
    }
    length = at;
  }

  /** Appends UTF-8 after its length, in one byte below 128, else after a byte for their number. */
  void addHadoopText(String text) {
    int start = length;
    addUtf8(text);
    int size = length - start;
    int more = size < 128 ? 0 : (Integer.SIZE + 7 - Integer.numberOfLeadingZeros(size)) / 8;
    room((long) length + 1 + more);
    System.arraycopy(bytes, start, bytes, start + 1 + more, size);
    bytes[start] = (byte) (more == 0 ? size : -112 - more);
    for (int i = 1; i <= more; i++) {
      bytes[start + i] = (byte) (size >>> (8 * (more - i)));
    }
    length += 1 + more;
  }
}
