package io.bloomery.hash;

import io.bloomery.internal.Utf8;

/**
 * White space in UTF-8: the 25 code points with the property White_Space in Unicode 15.0.0. {@link
 * Character#isWhitespace} is not used, because it lacks the no-break spaces and includes four
 * control characters instead.
 */
final class WhiteSpace {

  private static final int MAX_LENGTH = 3;

  private WhiteSpace() {}

  /** Returns the end index of the leading white space. */
  static int end(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int point = bytes[at] >= 0 ? bytes[at] : Utf8.codePoint(bytes, at, to);
      if (!is(point)) {
        break;
      }
      at += Utf8.length(point);
    }
    return at;
  }

  /** Returns the start index of the trailing white space. */
  static int begin(byte[] bytes, int from, int to) {
    int end = to;
    while (from < end) {
      int at = end - 1;
      while (at > from && end - at < MAX_LENGTH && (bytes[at] & 0xc0) == 0x80) {
        at--;
      }
      int point = bytes[at] >= 0 ? bytes[at] : Utf8.codePoint(bytes, at, end);
      if (!is(point) || Utf8.length(point) != end - at) {
        break;
      }
      end = at;
    }
    return end;
  }

  private static boolean is(int point) {
    return switch (point) {
      case ' ', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 -> true;
      default -> (point >= '\t' && point <= '\r') || (point >= 0x2000 && point <= 0x200a);
    };
  }
}
