package io.bloomery.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is done to the bytes of a line, or of a column of it, before they are a key. Bytes that are
 * ASCII stay bytes; others are looked at as text if they are UTF-8, and if they are not, only what
 * is ASCII in them is trimmed and put into lower case.
 *
 * @param encoding what the bytes are
 * @param trim whether white space at both ends is left out; of integers, always
 * @param ignoreCase whether text is put into lower case
 */
record KeyForm(Encoding encoding, boolean trim, boolean ignoreCase) {

  /** What the bytes are. */
  enum Encoding {
    PLAIN,
    HEX,
    BASE64,
    INTEGER
  }

  /** Takes bytes as they are. */
  static final KeyForm PLAIN = new KeyForm(Encoding.PLAIN, false, false);

  /** Takes integers, of which the key is the eight bytes of a long, little-endian. */
  static final KeyForm INTEGER = new KeyForm(Encoding.INTEGER, true, false);

  /** Takes white space around an integer for no part of it, asked to or not. */
  KeyForm {
    trim |= encoding == Encoding.INTEGER;
  }

  /** Returns the form whose {@link #toString} a filter records, or nothing if there is none. */
  static Optional<KeyForm> recorded(String text) {
    // Not among them are integers, which are known by the hash id.
    return Stream.of(
            new KeyForm(Encoding.PLAIN, true, false),
            new KeyForm(Encoding.PLAIN, false, true),
            new KeyForm(Encoding.PLAIN, true, true),
            new KeyForm(Encoding.HEX, false, false),
            new KeyForm(Encoding.HEX, true, false),
            new KeyForm(Encoding.BASE64, false, false),
            new KeyForm(Encoding.BASE64, true, false))
        .filter(form -> form.toString().equals(text))
        .findFirst();
  }

  boolean isPlain() {
    return encoding == Encoding.PLAIN && !trim && !ignoreCase;
  }

  boolean isInteger() {
    return encoding == Encoding.INTEGER;
  }

  /** Returns whether this form does all that another one does. */
  boolean includes(KeyForm other) {
    return (other.encoding == Encoding.PLAIN || other.encoding == encoding)
        && (trim || !other.trim)
        && (ignoreCase || !other.ignoreCase);
  }

  /** Returns how a key may be written by people. */
  byte[] written(byte[] key) {
    return isInteger()
        ? Long.toString(ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong())
            .getBytes(StandardCharsets.US_ASCII)
        : key;
  }

  /** Returns the words for it, as options have them: {@code trim,hex}. */
  @Override
  public String toString() {
    if (isInteger()) {
      return "integer";
    }
    List<String> words = new ArrayList<>();
    if (trim) {
      words.add("trim");
    }
    if (ignoreCase) {
      words.add("ignore-case");
    }
    if (encoding != Encoding.PLAIN) {
      words.add(encoding.name().toLowerCase(Locale.ROOT));
    }
    return words.isEmpty() ? "plain" : String.join(",", words);
  }

  /**
   * Appends the key that some bytes stand for.
   *
   * @throws BadKeyException if they are not of the encoding
   */
  void append(byte[] bytes, int from, int to, KeyBuffer key) throws BadKeyException {
    int start = from;
    int end = to;
    if (trim) {
      while (start < end && isSpace(bytes[start])) {
        start++;
      }
      while (start < end && isSpace(bytes[end - 1])) {
        end--;
      }
      if (start < end && (bytes[start] < 0 || bytes[end - 1] < 0)) {
        String text = text(bytes, start, end);
        if (text != null) {
          appendText(text.strip(), key);
          return;
        }
      }
    }
    switch (encoding) {
      case HEX -> appendHex(bytes, start, end, key);
      case BASE64 -> appendBase64(bytes, start, end, key);
      case INTEGER -> appendInteger(bytes, start, end, key);
      case PLAIN -> {
        if (ignoreCase) {
          appendLowerCase(bytes, start, end, key);
        } else {
          key.append(bytes, start, end);
        }
      }
    }
  }

  private void appendText(String text, KeyBuffer key) throws BadKeyException {
    String kept = ignoreCase ? text.toLowerCase(Locale.ROOT) : text;
    byte[] bytes = kept.getBytes(StandardCharsets.UTF_8);
    switch (encoding) {
      case HEX -> appendHex(bytes, 0, bytes.length, key);
      case BASE64 -> appendBase64(bytes, 0, bytes.length, key);
      case INTEGER -> appendInteger(bytes, 0, bytes.length, key);
      case PLAIN -> key.append(bytes);
    }
  }

  private static void appendLowerCase(byte[] bytes, int from, int to, KeyBuffer key) {
    int before = key.size();
    key.makeRoom(to - from);
    boolean ascii = true;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      ascii &= b >= 0;
      key.appendInRoom(b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b);
    }
    if (!ascii) {
      String text = text(bytes, from, to);
      if (text != null) {
        key.backTo(before);
        key.append(text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** Returns the text, or null if the bytes are not UTF-8. */
  private static String text(byte[] bytes, int from, int to) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    try {
      return decoder.decode(ByteBuffer.wrap(bytes, from, to - from)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static void appendHex(byte[] bytes, int from, int to, KeyBuffer key)
      throws BadKeyException {
    if ((to - from) % 2 != 0) {
      throw new BadKeyException(
          "a key in hex must have two digits for each byte, but has " + (to - from) + " digits");
    }
    key.makeRoom((to - from) / 2);
    for (int i = from; i < to; i += 2) {
      key.appendInRoom((byte) ((digit(bytes, from, i) << 4) | digit(bytes, from, i + 1)));
    }
  }

  private static int digit(byte[] bytes, int from, int i) throws BadKeyException {
    int value = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
    if (value < 0) {
      throw new BadKeyException(
          "a key in hex must have digits from 0 to 9 and a to f, but character "
              + (i - from + 1)
              + " is none");
    }
    return value;
  }

  private static void appendBase64(byte[] bytes, int from, int to, KeyBuffer key)
      throws BadKeyException {
    byte[] standard = new byte[to - from];
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      // Those of the alphabet for URLs.
      standard[i - from] = b == '-' ? (byte) '+' : b == '_' ? (byte) '/' : b;
    }
    try {
      key.append(Base64.getDecoder().decode(standard));
    } catch (IllegalArgumentException e) {
      throw new BadKeyException("a key in base64 must be complete and of its alphabet only");
    }
  }

  private static void appendInteger(byte[] bytes, int from, int to, KeyBuffer key)
      throws BadKeyException {
    boolean negative = from < to && bytes[from] == '-';
    int first = negative || (from < to && bytes[from] == '+') ? from + 1 : from;
    // Minus the number, since there are more longs below zero than above.
    long value = first < to ? 0 : 1;
    for (int i = first; i < to && value <= 0; i++) {
      int digit = bytes[i] - '0';
      boolean fits = digit >= 0 && digit <= 9 && value >= (Long.MIN_VALUE + digit) / 10;
      value = fits ? 10 * value - digit : 1;
    }
    if (value > 0 || (value == Long.MIN_VALUE && !negative)) {
      throw new BadKeyException(
          "a key must be an integer from "
              + Long.MIN_VALUE
              + " to "
              + Long.MAX_VALUE
              + ", in digits");
    }
    key.appendLittleEndian(negative ? value : -value);
  }

  private static boolean isSpace(byte b) {
    return b >= 0 && Character.isWhitespace(b);
  }
}
