package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.carrotsearch.hppc.LongHashSet;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Uniform hashes that no text may show: as a number of any radix, signed or unsigned, grouped or
 * not, as bytes, halves or characters, or in Base64, from either end.
 */
public final class Secrets {

  /** The minimum number of digits of a number of more than 48 bits. */
  private static final int MIN_DIGITS = 12;

  private static final int MAX_DIGITS = 20;
  private static final int BASE64_DIGITS = 11;
  private static final int MAX_BITS_OF_NUMBER = 8;

  /** The number of digits of the highest number, by radix. */
  private static final int[] MOST_DIGITS =
      IntStream.rangeClosed(0, Character.MAX_RADIX)
          .map(radix -> radix < 2 ? 0 : Long.toUnsignedString(-1, radix).length())
          .toArray();

  private static final Pattern SEPARATORS = Pattern.compile("(?<![0-9a-z])0x|[\\s,.:;_'\\[\\]-]");
  private static final Pattern WORDS = Pattern.compile("[0-9a-z]{11,64}");
  private static final Pattern NUMBERS = Pattern.compile("-?[0-9]{1,10}");
  private static final Pattern BASE64 = Pattern.compile("[0-9A-Za-z+/_-]{11,}");

  private final LongHashSet numbers = new LongHashSet();
  private final LongHashSet words = new LongHashSet();

  /** Creates the secrets from hashes. */
  public Secrets(long... hashes) {
    for (long hash : hashes) {
      numbers.addAll(hash, Long.reverseBytes(hash), Long.reverse(hash));
    }
  }

  /**
   * Adds words of a table, which are looked for in decimal and hexadecimal digits only; not those
   * of few bits, which may be other numbers.
   */
  public void addWords(long... table) {
    for (long word : table) {
      if (Long.bitCount(word) > MAX_BITS_OF_NUMBER) {
        words.add(word);
      }
    }
  }

  /** Checks what an exception tells, with its causes and what it suppressed. */
  public void checkNotIn(Throwable thrown) {
    Set<Throwable> all = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(thrown, all);
    for (Throwable each : all) {
      String text = Subject.text(each);
      String message = String.valueOf(each.getMessage());
      checkNotIn(text.contains(message) ? text : text + " " + message);
    }
  }

  private static void collect(Throwable thrown, Set<Throwable> all) {
    if (thrown != null && all.add(thrown)) {
      collect(thrown.getCause(), all);
      Stream.of(thrown.getSuppressed()).forEach(each -> collect(each, all));
    }
  }

  /** Checks a text. */
  public void checkNotIn(String text) {
    assertFalse(isIn(text), () -> "a hash, or a word of the table, is shown by: " + text);
  }

  private boolean isIn(String text) {
    String small = text.toLowerCase(Locale.ROOT);
    String joined = SEPARATORS.matcher(small).replaceAll("");
    return isNumberIn(small)
        || isNumberIn(joined)
        || isWordIn(small)
        || isInParts(text)
        || BASE64.matcher(text).results().anyMatch(found -> isBase64In(found.group()))
        || isInCharacters(text);
  }

  private boolean isInCharacters(String text) {
    long[] characters = text.chars().asLongStream().toArray();
    return isJoined(characters, Byte.SIZE) || isJoined(characters, Character.SIZE);
  }

  /** Returns whether decimal or hexadecimal digits anywhere in a text are a secret. */
  private boolean isNumberIn(String text) {
    int digits = 0; // of hexadecimal numbers, in a row
    for (int to = 1; to <= text.length(); to++) {
      digits = Character.digit(text.charAt(to - 1), 16) < 0 ? 0 : digits + 1;
      for (int length = MIN_DIGITS; length <= Math.min(digits, MAX_DIGITS); length++) {
        String number = text.substring(to - length, to);
        if (isOne(number, 10) || isOne(number, 16)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a whole word is a number, of any radix. */
  private boolean isWordIn(String text) {
    Matcher words = WORDS.matcher(text);
    while (words.find()) {
      for (int radix = Character.MIN_RADIX; radix <= Character.MAX_RADIX; radix++) {
        if (isOne(words.group(), radix)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOne(String digits, int radix) {
    OptionalLong parsed = parsed(digits, radix);
    if (parsed.isEmpty()) {
      return false;
    }
    long number = parsed.getAsLong();
    return numbers.contains(number)
        || numbers.contains(-number)
        || words.contains(number)
        || words.contains(-number);
  }

  private static OptionalLong parsed(String digits, int radix) {
    if (digits.length() > MOST_DIGITS[radix]) {
      return OptionalLong.empty();
    }
    for (int i = 0; i < digits.length(); i++) {
      if (Character.digit(digits.charAt(i), radix) < 0) {
        return OptionalLong.empty();
      }
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(digits, radix));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // above 2^64
    }
  }

  /** Returns whether numbers in a row are the bytes, quarters or halves of a secret. */
  private boolean isInParts(String text) {
    long[] parts =
        NUMBERS.matcher(text).results().mapToLong(found -> Long.parseLong(found.group())).toArray();
    return isJoined(parts, Byte.SIZE)
        || isJoined(parts, Short.SIZE)
        || isJoined(parts, Integer.SIZE);
  }

  private boolean isJoined(long[] parts, int bits) {
    int count = Long.SIZE / bits;
    for (int from = 0; from + count <= parts.length; from++) {
      long joined = 0;
      for (int i = from; i < from + count; i++) {
        joined = joined << bits | (parts[i] & ((1L << bits) - 1));
      }
      if (numbers.contains(joined)) {
        return true;
      }
    }
    return false;
  }

  private boolean isBase64In(String text) {
    String plain = text.replace('-', '+').replace('_', '/');
    for (int from = 0; from + BASE64_DIGITS <= plain.length(); from++) {
      byte[] bytes = Base64.getDecoder().decode(plain.substring(from, from + BASE64_DIGITS));
      if (numbers.contains(ByteBuffer.wrap(bytes).getLong())) {
        return true;
      }
    }
    return false;
  }
}
