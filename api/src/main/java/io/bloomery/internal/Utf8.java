package io.bloomery.internal;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * An encoder of UTF-8 that encodes an unpaired surrogate as three bytes of its own, where the JDK
 * writes a question mark and so makes different strings equal.
 */
public final class Utf8 {
  // decisions.md#text-is-encoded-by-stringgetbytes-into-a-new-array

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_HIGH_BITS = EIGHT_ONES << 7;
  private static final long NOT_ASCII = 0xff80ff80ff80ff80L; // among four chars
  private static final long EIGHT_QUESTION_MARKS = EIGHT_ONES * '?';

  private Utf8() {}

  /** Returns the encoded text. */
  public static byte[] encode(CharSequence text) {
    String string = text.toString();
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    return mayHaveLostSurrogate(string, bytes) ? encodeEach(string) : bytes;
  }

  /**
   * Returns the bytes of the character that begins at an index of a text, the first byte lowest.
   * {@link #size} returns their number; a character of four bytes has two chars.
   */
  public static int character(CharSequence text, int at) {
    char c = text.charAt(at);
    if (c < 0x80) {
      return c;
    }
    if (c < 0x800) {
      return 0x80c0 | c >> 6 | (c & 0x3f) << 8;
    }
    if (Character.isHighSurrogate(c)
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1))) {
      int point = Character.toCodePoint(c, text.charAt(at + 1));
      return 0x808080f0
          | point >> 18
          | (point >> 12 & 0x3f) << 8
          | (point >> 6 & 0x3f) << 16
          | (point & 0x3f) << 24;
    }
    return 0x8080e0 | c >> 12 | (c >> 6 & 0x3f) << 8 | (c & 0x3f) << 16;
  }

  /** Returns the number of bytes of a {@link #character}. */
  public static int size(int character) {
    // All bytes except those of ASCII, which may be zero, have their highest bit set.
    return (character & ~0x7f) == 0 ? 1 : 4 - Integer.numberOfLeadingZeros(character) / 8;
  }

  /**
   * Returns the code point whose well-formed encoding begins at an index, or -1 if there is none.
   * The first byte must not be ASCII.
   */
  public static int codePoint(byte[] bytes, int at, int to) {
    int first = bytes[at] & 0xff;
    int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || length > to - at) {
      return -1;
    }
    int point = first & 0x7f >> length;
    for (int i = at + 1; i < at + length; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        return -1;
      }
      point = point << 6 | (bytes[i] & 0x3f);
    }
    boolean isSurrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    boolean isShortest = length(point) == length;
    return isShortest && !isSurrogate && point <= Character.MAX_CODE_POINT ? point : -1;
  }

  /** Returns the number of bytes of a code point. */
  public static int length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  /** Writes the bytes of a code point that is not a surrogate, and returns their end index. */
  public static int write(int codePoint, byte[] into, int at) {
    int length = length(codePoint);
    if (length == 1) {
      into[at] = (byte) codePoint;
      return at + 1;
    }
    int rest = codePoint;
    for (int i = at + length - 1; i > at; i--) {
      into[i] = (byte) (0x80 | (rest & 0x3f));
      rest >>>= 6;
    }
    into[at] = (byte) (0xf00 >> length | rest);
    return at + length;
  }

  /** Returns eight chars of a text as bytes, the first lowest, or -1 if any is not ASCII. */
  static long eightOfAscii(CharSequence text, int at) {
    long even = fourChars(text, at);
    long odd = fourChars(text, at + 1);
    return ((even | odd) & NOT_ASCII) == 0 ? even | odd << Byte.SIZE : -1;
  }

  /** Returns four chars, every second one from an index on, with 16 bits each. */
  private static long fourChars(CharSequence text, int at) {
    return text.charAt(at)
        | (long) text.charAt(at + 2) << 16
        | (long) text.charAt(at + 4) << 32
        | (long) text.charAt(at + 6) << 48;
  }

  // The JDK encodes an unpaired surrogate as a question mark. Most text contains none, and so its
  // chars need not be searched for surrogates.
  private static boolean mayHaveLostSurrogate(String string, byte[] bytes) {
    return hasQuestionMark(bytes) && string.chars().anyMatch(c -> Character.isSurrogate((char) c));
  }

  // Eight bytes at a time, of which the last eight may overlap the previous ones: byte by byte
  // takes as long as the hash.
  private static boolean hasQuestionMark(byte[] bytes) {
    // decisions.md#short-text-is-told-by-its-length-not-by-an-index
    if (bytes.length < Long.BYTES) {
      return hasQuestionMarkAmongFew(bytes);
    }
    int last = bytes.length - Long.BYTES;
    long found = marks(bytes, last);
    for (int i = 0; i < last; i += Long.BYTES) {
      found |= marks(bytes, i);
    }
    return found != 0;
  }

  /** Returns 0 if none of eight bytes is a question mark. */
  private static long marks(byte[] bytes, int from) {
    long zeroIfMark = (long) EIGHT_BYTES.get(bytes, from) ^ EIGHT_QUESTION_MARKS;
    // The result has the highest bit of the lowest zero byte set, and is 0 if no byte is zero.
    return (zeroIfMark - EIGHT_ONES) & ~zeroIfMark & EIGHT_HIGH_BITS;
  }

  private static boolean hasQuestionMarkAmongFew(byte[] bytes) {
    for (byte b : bytes) {
      if (b == '?') {
        return true;
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
