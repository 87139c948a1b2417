package io.bloomery.hash;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A decoder of base64 as specified by RFC 4648, in the alphabet of section 4 or 5, with or without
 * padding. {@link java.util.Base64} is not used, because it ignores leftover bits, so that two
 * different texts would be the same key.
 */
final class Base64Text {

  private static final byte[] VALUES = values();
  private static final byte NONE = -1;

  private Base64Text() {}

  private static byte[] values() {
    byte[] values = new byte[1 << Byte.SIZE];
    Arrays.fill(values, (byte) -1);
    for (String last : new String[] {"+/", "-_"}) {
      byte[] alphabet =
          ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last)
              .getBytes(StandardCharsets.US_ASCII);
      for (byte i = 0; i < alphabet.length; i++) {
        values[alphabet[i]] = i;
      }
    }
    return values;
  }

  /** Decodes the text and returns the end index of the bytes. */
  static int decode(byte[] text, int from, int to, byte[] into, int at) {
    int padding = padding(text, from, to);
    int last = to - padding;
    int rest = (last - from) % 4;
    if (rest == 1 || (padding > 0 && rest + padding != 4)) {
      throw new IllegalArgumentException(
          "a key in base64 must be complete, with all of its padding or none, but has "
              + (last - from)
              + " characters and "
              + padding
              + " of padding");
    }
    int end = at;
    int bits = 0;
    for (int i = from; i < last; i++) {
      bits = bits << 6 | value(text, from, i);
      int done = (i - from) % 4;
      if (done != 0) {
        into[end++] = (byte) (bits >> (6 - 2 * done));
      }
    }
    int left = rest == 0 ? 0 : bits & ((1 << (8 - 2 * rest)) - 1);
    if (left != 0) {
      throw new IllegalArgumentException(
          "a key in base64 must have zeros in the bits of its last character that are left over,"
              + " but has not: it was cut off, or changed");
    }
    return end;
  }

  private static int padding(byte[] text, int from, int to) {
    int at = to;
    while (at > from && to - at < 2 && text[at - 1] == '=') {
      at--;
    }
    return to - at;
  }

  private static int value(byte[] text, int from, int at) {
    byte value = VALUES[text[at] & 0xff];
    if (value == NONE) {
      throw new IllegalArgumentException(
          "a key in base64 must have characters of its alphabet only, but byte "
              + (at - from + 1)
              + " is none");
    }
    return value;
  }
}
