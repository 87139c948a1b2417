package io.bloomery.hash;

import io.bloomery.internal.Attributes;
import io.bloomery.internal.Utf8;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The form of keys, which determines a conversion applied before they are hashed: white space
 * around them is removed, case is ignored or made upper, or hex or base64 is decoded.
 *
 * <p>A filter records the form of its keys and accepts only hashers of that form: a key in a
 * different form is a different key, for which a query would return false. The bytes of a form are
 * the same in every language, on every version of Java and in every locale; docs/FORMAT.md defines
 * them to the byte.
 *
 * <p>Text is UTF-8. Bytes of a key that are not well-formed UTF-8 are kept unchanged. Forms are
 * immutable and thread-safe.
 */
public final class KeyForm {

  /** The attribute in which a filter records the form of its keys, unless it is {@link #PLAIN}. */
  public static final String ATTRIBUTE = Attributes.KEY_FORM;

  /** The key as it is. */
  public static final KeyForm PLAIN = new KeyForm(Letters.KEPT, "plain", false);

  /**
   * Text whose case is ignored: each character is folded by itself, by the simple case folding of
   * Unicode 15.0.0. That is not lower case: all three sigmas are one letter, sharp s is not two
   * letters, and the Turkish i with and without a dot are two.
   */
  public static final KeyForm IGNORE_CASE = new KeyForm(Letters.FOLDED, "ignore-case", false);

  /**
   * Text with the letters {@code a} to {@code z} replaced by {@code A} to {@code Z}, and all others
   * kept: for lists of hashes in hex that are in upper case.
   */
  public static final KeyForm UPPER_CASE = new KeyForm(Letters.UPPER, "upper-case", false);

  /** Bytes as two hexadecimal digits each, in upper or lower case. */
  public static final KeyForm HEX = new KeyForm(Letters.HEX, "hex", false);

  /**
   * Bytes in base64, in the usual alphabet or that for URLs, with padding or without (RFC 4648).
   */
  public static final KeyForm BASE64 = new KeyForm(Letters.BASE64, "base64", false);

  /** Text without white space at both ends: {@link #PLAIN} and {@link #trimmed}. */
  public static final KeyForm TRIM = PLAIN.trimmed();

  private static final List<KeyForm> ALL =
      List.of(
          PLAIN,
          TRIM,
          IGNORE_CASE,
          IGNORE_CASE.trimmed(),
          UPPER_CASE,
          UPPER_CASE.trimmed(),
          HEX,
          HEX.trimmed(),
          BASE64,
          BASE64.trimmed());

  private enum Letters {
    KEPT,
    FOLDED,
    UPPER,
    HEX,
    BASE64
  }

  private final Letters letters;
  private final String name;
  private final boolean trims;
  private final KeyForm trimmed;

  private KeyForm(Letters letters, String name, boolean trims) {
    this.letters = letters;
    this.name = name;
    this.trims = trims;
    this.trimmed = trims ? this : new KeyForm(letters, trimmedName(letters, name), true);
  }

  private static String trimmedName(Letters letters, String name) {
    return letters == Letters.KEPT ? "trim" : "trim," + name;
  }

  /**
   * Returns the form of a text that {@link #toString} returned, or that a filter records.
   *
   * @throws IllegalArgumentException if the text names no form; later versions may have more
   */
  public static KeyForm parse(String text) {
    Objects.requireNonNull(text, "text");
    for (KeyForm form : ALL) {
      if (form.name.equals(text)) {
        return form;
      }
    }
    throw new IllegalArgumentException(
        "a key form must be one of "
            + ALL.stream().map(KeyForm::toString).collect(Collectors.joining(" "))
            + ", but was '"
            + text
            + "'; one that a file records is known to the version that made it");
  }

  /** Returns whether {@link #parse} accepts a text. */
  public static boolean isKnown(String text) {
    // Not a stream: this runs for every file that is opened, mostly once per process.
    for (KeyForm form : ALL) {
      if (form.name.equals(text)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the form that removes white space at both ends and then applies this form. */
  public KeyForm trimmed() {
    return trimmed;
  }

  /** Returns whether this form does all that {@code other} does. */
  public boolean includes(KeyForm other) {
    return (other.letters == Letters.KEPT || other.letters == letters) && (trims || !other.trims);
  }

  /**
   * Returns the maximum number of bytes of a key whose written form has {@code length} bytes.
   *
   * @throws IllegalArgumentException if that is more than an array can hold
   */
  public int maxLength(int length) {
    long most = letters == Letters.FOLDED ? CaseFolding.maxLength(length) : length;
    if (most > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a key whose case is ignored must have at most "
              + Integer.MAX_VALUE / 3 * 2
              + " bytes, but has "
              + length
              + "; see that it is one key");
    }
    return (int) most;
  }

  /**
   * Converts bytes {@code from} to {@code to - 1} of {@code written} to the key that they
   * represent, and writes the key to {@code into} from index {@code at} on. There must be room for
   * {@link #maxLength}. Allocates nothing.
   *
   * @return the index after the last byte of the key
   * @throws IllegalArgumentException if the bytes are not valid in this form; {@code into} may have
   *     changed from {@code at} on
   * @throws IndexOutOfBoundsException if the range is outside {@code written}, or {@code into} has
   *     no room; nothing has changed
   */
  public int apply(byte[] written, int from, int to, byte[] into, int at) {
    Objects.checkFromToIndex(from, to, written.length);
    Objects.checkFromIndexSize(at, maxLength(to - from), into.length);
    int start = from;
    int end = to;
    if (trims) {
      start = WhiteSpace.end(written, from, to);
      end = WhiteSpace.begin(written, start, to);
    }
    return switch (letters) {
      case KEPT -> {
        System.arraycopy(written, start, into, at, end - start);
        yield at + end - start;
      }
      case FOLDED -> CaseFolding.fold(written, start, end, into, at);
      case UPPER -> upper(written, start, end, into, at);
      case HEX -> HexText.decode(written, start, end, into, at);
      case BASE64 -> Base64Text.decode(written, start, end, into, at);
    };
  }

  private static int upper(byte[] written, int from, int to, byte[] into, int at) {
    int end = at;
    for (int i = from; i < to; i++) {
      byte b = written[i];
      into[end++] = b >= 'a' && b <= 'z' ? (byte) (b - 'a' + 'A') : b;
    }
    return end;
  }

  /**
   * Converts bytes to the key that they represent.
   *
   * @throws IllegalArgumentException if the bytes are not valid in this form
   */
  public byte[] apply(byte[] written) {
    byte[] key = new byte[maxLength(written.length)];
    return Arrays.copyOf(key, apply(written, 0, written.length, key, 0));
  }

  /**
   * Converts a text to the key that it represents. The text is encoded as UTF-8, an unpaired
   * surrogate as three bytes of its own.
   *
   * @throws IllegalArgumentException if the text is not valid in this form
   */
  public byte[] apply(CharSequence written) {
    return apply(Utf8.encode(written));
  }

  /** Returns the name of this form as recorded by filters, for example {@code trim,ignore-case}. */
  @Override
  public String toString() {
    return name;
  }
}
