package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.carrotsearch.hppc.LongHashSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** Adds a word of a table, which is looked for in decimal and hexadecimal digits only. */
  public void addWord(long word) {
    words.add(word);
  }

  /** Checks what an exception tells, with its causes and what it suppressed. */
  public void checkNotIn(Throwable thrown) {
    Set<Throwable> all = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(thrown, all);
    for (Throwable each : all) {
      checkNotIn(each.getMessage() + "\n" + each.getLocalizedMessage() + "\n" + Subject.text(each));
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
        || isInCharacters(text, Byte.SIZE)
        || isInCharacters(text, Character.SIZE);
  }

  /** Returns whether decimal or hexadecimal digits anywhere in a text are a secret. */
  private boolean isNumberIn(String text) {
    for (int from = 0; from < text.length(); from++) {
      for (int to = from + MIN_DIGITS; to <= Math.min(text.length(), from + MAX_DIGITS); to++) {
        String digits = text.substring(from, to);
        if (isOne(digits, 10) || isOne(digits, 16)) {
          return true;
        }
        if (Character.digit(digits.charAt(digits.length() - 1), 16) < 0) {
          break;
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
    List<Long> parts = new ArrayList<>();
    NUMBERS.matcher(text).results().forEach(found -> parts.add(Long.parseLong(found.group())));
    for (int bits = Byte.SIZE; bits < Long.SIZE; bits *= 2) {
      if (isJoined(parts, bits, part -> part)) {
        return true;
      }
    }
    return false;
  }

  private boolean isInCharacters(String text, int bits) {
    return isJoined(text.chars().boxed().toList(), bits, part -> part);
  }

  private <T extends Number> boolean isJoined(List<T> parts, int bits, ToLongFunction<T> value) {
    int count = Long.SIZE / bits;
    for (int from = 0; from + count <= parts.size(); from++) {
      long joined = 0;
      for (T part : parts.subList(from, from + count)) {
        joined = joined << bits | (value.applyAsLong(part) & ((1L << bits) - 1));
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
