package io.bloomery.cli.option;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
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

  private static final long KILO = 1_000;
  private static final long KIBI = 1_024;

  private static final Map<String, BigDecimal> COUNTS =
      Map.of(
          "", power(KILO, 0),
          "k", power(KILO, 1),
          "m", power(KILO, 2),
          "g", power(KILO, 3),
          "b", power(KILO, 3),
          "t", power(KILO, 4));

  private static final Map<String, BigDecimal> BYTES =
      Map.ofEntries(
          Map.entry("", power(KILO, 0)),
          Map.entry("b", power(KILO, 0)),
          Map.entry("k", power(KILO, 1)),
          Map.entry("kb", power(KILO, 1)),
          Map.entry("m", power(KILO, 2)),
          Map.entry("mb", power(KILO, 2)),
          Map.entry("g", power(KILO, 3)),
          Map.entry("gb", power(KILO, 3)),
          Map.entry("t", power(KILO, 4)),
          Map.entry("tb", power(KILO, 4)),
          Map.entry("ki", power(KIBI, 1)),
          Map.entry("kib", power(KIBI, 1)),
          Map.entry("mi", power(KIBI, 2)),
          Map.entry("mib", power(KIBI, 2)),
          Map.entry("gi", power(KIBI, 3)),
          Map.entry("gib", power(KIBI, 3)),
          Map.entry("ti", power(KIBI, 4)),
          Map.entry("tib", power(KIBI, 4)));

  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private Amount() {}

  private static BigDecimal power(long base, int exponent) {
    return new BigDecimal(BigInteger.valueOf(base).pow(exponent));
  }

  /** Parses a count; the letters K, M, G or B, and T stand for powers of a thousand. */
  static long count(String text) {
    return parse(text, COUNTS, "a whole number", "for a million write 1000000 or 1M");
  }

  /** Parses a size in bytes: K, KB and so on are powers of a thousand, KiB and so on of 1,024. */
  static long bytes(String text) {
    return parse(text, BYTES, "a whole number of bytes", "write 64MiB, 1.5GB or 1500000");
  }

  private static long parse(String text, Map<String, BigDecimal> units, String what, String hint) {
    Matcher matcher = NUMBER.matcher(text);
    BigDecimal unit =
        matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new TypeConversionException("must be " + what + ", but was '" + text + "'; " + hint);
    }
    BigDecimal value = new BigDecimal(matcher.group(1)).multiply(unit);
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
