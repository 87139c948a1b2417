package io.bloomery;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * UTF-8 that also encodes a surrogate without its partner, as its own three bytes, where the JDK
 * writes a question mark and so makes different strings equal.
 */
final class Utf8 {

  private Utf8() {}

  static byte[] encode(CharSequence text) {
    String string = text.toString();
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    return mayHaveLostSurrogate(string, bytes) ? encodeEach(string) : bytes;
  }

  // A lost surrogate left a question mark behind, so most text is cleared without a look at its
  // chars, and most of the rest without a surrogate among them.
  private static boolean mayHaveLostSurrogate(String string, byte[] bytes) {
    for (byte b : bytes) {
      if (b == '?') {
        return string.chars().anyMatch(c -> Character.isSurrogate((char) c));
      }
    }
    return false;
  }

  private static byte[] encodeEach(String string) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(3 * string.length());
    string
        .codePoints()
        .forEach(
            c -> {
              if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                out.write(0xe0 | (c >> 12));
                out.write(0x80 | ((c >> 6) & 0x3f));
                out.write(0x80 | (c & 0x3f));
              } else {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
              }
            });
    return out.toByteArray();
  }
}
