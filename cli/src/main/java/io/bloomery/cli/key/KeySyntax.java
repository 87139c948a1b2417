package io.bloomery.cli.key;

import io.bloomery.hash.KeyForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The syntax of a key in a line or in a column of it: text or bytes in some form, or a decimal
 * integer, whose key is the eight bytes of a long, little-endian.
 *
 * @param form the form; for integers, {@link KeyForm#TRIM}
 * @param isInteger whether the key is an integer
 */
public record KeySyntax(KeyForm form, boolean isInteger) {

  /** Bytes as they are. */
  public static final KeySyntax PLAIN = of(KeyForm.PLAIN);

  /** Integers, optionally surrounded by white space. */
  public static final KeySyntax INTEGER = new KeySyntax(KeyForm.TRIM, true);

  public static KeySyntax of(KeyForm form) {
    return new KeySyntax(Objects.requireNonNull(form, "form"), false);
  }

  public boolean isPlain() {
    return form == KeyForm.PLAIN;
  }

  /** Returns whether this syntax does all that another one does. */
  public boolean includes(KeySyntax other) {
    return (isInteger || !other.isInteger) && form.includes(other.form);
  }

  /** Returns the bytes of a key, or the decimal digits of an integer. */
  public byte[] written(byte[] key) {
    return isInteger
        ? Long.toString(ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong())
            .getBytes(StandardCharsets.US_ASCII)
        : key;
  }

  /** Returns the syntax in the words of the options: {@code trim,hex}. */
  @Override
  public String toString() {
    return isInteger ? "integer" : form.toString();
  }

  /**
   * Appends the key that some bytes stand for.
   *
   * @throws BadKeyException if the bytes are not of this syntax
   */
  public void append(byte[] bytes, int from, int to, KeyBuffer key) throws BadKeyException {
    int before = key.size();
    try {
      key.append(form, bytes, from, to);
    } catch (IllegalArgumentException e) {
      throw new BadKeyException(e.getMessage());
    }
    if (isInteger) {
      long integer = integer(key.bytes(), before, key.size());
      key.backTo(before);
      key.appendLittleEndian(integer);
    }
  }

  // A number from 2^63 on is the long with its bits, as programs have it in an unsigned type.
  private static long integer(byte[] bytes, int from, int to) throws BadKeyException {
    boolean negative = from < to && bytes[from] == '-';
    int first = negative || (from < to && bytes[from] == '+') ? from + 1 : from;
    long value = 0;
    boolean fits = first < to;
    for (int i = first; i < to && fits; i++) {
      int digit = bytes[i] - '0';
      fits =
          digit >= 0
              && digit <= 9
              && Long.compareUnsigned(value, Long.divideUnsigned(-1 - digit, 10)) <= 0;
      value = 10 * value + digit;
    }
    if (!fits || (negative && Long.compareUnsigned(value, Long.MIN_VALUE) > 0)) {
      throw new BadKeyException(
          "a key must be an integer from "
              + Long.MIN_VALUE
              + " to "
              + Long.toUnsignedString(-1)
              + ", in digits");
    }
    return negative ? -value : value;
  }
}
