package io.bloomery.cli.option;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses amounts as people write them: {@code 10M} or {@code 1e7} keys, {@code 64MiB}, {@code
 * 1.5GB}.
 */
final class Amount {

  private static final Pattern NUMBER =
      Pattern.compile(
          "([+-]?[0-9]+(?:\\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?) ?([a-z]*)", Pattern.CASE_INSENSITIVE);

  /** A letter for a power of a thousand. */
  private static final Pattern COUNT_UNIT = Pattern.compile("(?<letter>[kmgbt])?(?<binary>)");

  /** A letter for a power of a thousand or, before an i, of 1,024. */
  private static final Pattern BYTE_UNIT = Pattern.compile("((?<letter>[kmgt])(?<binary>i?))?b?");

  private static final Map<String, Integer> EXPONENTS =
      Map.of("k", 1, "m", 2, "g", 3, "b", 3, "t", 4);
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private Amount() {}

  /** Parses a count; the letters K, M, G or B, and T stand for powers of a thousand. */
  static long count(String text) {
    return parse(text, COUNT_UNIT, "a whole number", "for a million write 1000000 or 1M");
  }

  /** Parses a size in bytes: K, KB and so on are powers of a thousand, KiB and so on of 1,024. */
  static long bytes(String text) {
    return parse(text, BYTE_UNIT, "a whole number of bytes", "write 64MiB, 1.5GB or 1500000");
  }

  private static long parse(String text, Pattern units, String what, String hint) {
    Matcher number = NUMBER.matcher(text);
    Matcher unit = units.matcher(number.matches() ? number.group(2).toLowerCase(Locale.ROOT) : "?");
    if (!unit.matches()) {
      throw new TypeConversionException("must be " + what + ", but was '" + text + "'; " + hint);
    }
    BigDecimal base = BigDecimal.valueOf("i".equals(unit.group("binary")) ? 1_024 : 1_000);
    int exponent = EXPONENTS.getOrDefault(Objects.requireNonNullElse(unit.group("letter"), ""), 0);
    BigDecimal value = new BigDecimal(number.group(1)).multiply(base.pow(exponent));
    if (value.abs().compareTo(MAX) > 0) {
      throw new TypeConversionException(
          "must be at most " + Long.MAX_VALUE + ", but was '" + text + "'; " + hint);
    }
    if (value.stripTrailingZeros().scale() > 0) {
      throw new TypeConversionException("must be " + what + ", but was '" + text + "'; " + hint);
    }
    return value.longValue();
  }
}
