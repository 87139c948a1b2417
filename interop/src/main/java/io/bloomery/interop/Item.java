package io.bloomery.interop;

import java.util.Arrays;

/**
 * The bytes of one key as another system hashes them, or a plain long where it hashes that, and
 * room for their hashes. Each thread has one, so that a query allocates nothing.
 */
final class Item {

  private static final int KEPT = 1 << 16;
  private static final ThreadLocal<Item> OWN = ThreadLocal.withInitial(Item::new);

  byte[] bytes = new byte[256];
  int length;

  /** Whether the item is {@link #value} itself and not bytes. */
  boolean isLong;

  /** Whether the key is one that the system ignores. */
  boolean isIgnored;

  long value;
  long h1;
  long h2;

  /** Returns the item of this thread, empty. */
  static Item own() {
    Item item = OWN.get();
    item.length = 0;
    item.isLong = false;
    item.isIgnored = false;
    if (item.bytes.length > KEPT) {
      item.bytes = new byte[256];
    }
    return item;
  }

  /** Makes room for so many bytes and one more, which bits-and-blooms appends. */
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

  void addLittleEndian(long number, int size) {
    room((long) length + size);
    for (int i = 0; i < size; i++) {
      bytes[length++] = (byte) (number >>> (8 * i));
    }
  }

  void addBigEndian(long number, int size) {
    room((long) length + size);
    for (int i = size - 1; i >= 0; i--) {
      bytes[length++] = (byte) (number >>> (8 * i));
    }
  }

  /** Adds UTF-8 with a question mark for each unpaired surrogate, as {@code String.getBytes}. */
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
}
