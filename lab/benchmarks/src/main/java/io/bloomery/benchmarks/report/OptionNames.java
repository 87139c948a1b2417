package io.bloomery.benchmarks.report;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** The names in options: a constant as {@code batch-miss}, a number as {@code 1e7}. */
final class OptionNames {

  private OptionNames() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static <E extends Enum<E>> E parse(Class<E> type, String name) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(OptionNames::of).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw new TypeConversionException(
          "must be of %s, but is '%s'".formatted(String.join(", ", names), name));
    }
    return type.getEnumConstants()[index];
  }

  /** Parses a number of keys. */
  static long size(String text) {
    try {
      long size = new BigDecimal(text).longValueExact();
      if (size >= 1_000) {
        return size;
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException(message(text));
    }
    throw new TypeConversionException(message(text));
  }

  private static String message(String text) {
    return "must be a whole number from 1000 on, such as 1e7, but is '" + text + "'";
  }
}
