package io.bloomery.hash;

/** A decoder of bytes written as two hexadecimal digits each, in upper or lower case. */
final class HexText {

  private HexText() {}

  /** Decodes the text and returns the end index of the bytes. */
  static int decode(byte[] text, int from, int to, byte[] into, int at) {
    if ((to - from) % 2 != 0) {
      throw new IllegalArgumentException(
          "a key in hex must have two digits for each byte, but has " + (to - from) + " digits");
    }
    int end = at;
    for (int i = from; i < to; i += 2) {
      into[end++] = (byte) (digit(text, from, i) << 4 | digit(text, from, i + 1));
    }
    return end;
  }

  private static int digit(byte[] text, int from, int at) {
    int c = text[at];
    int lower = c | ('a' - 'A');
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    if (lower >= 'a' && lower <= 'f') {
      return lower - 'a' + 10;
    }
    throw new IllegalArgumentException(
        "a key in hex must have digits from 0 to 9 and a to f, but byte "
            + (at - from + 1)
            + " is none");
  }
}
