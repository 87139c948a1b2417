package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Matrix.Extra;
import io.bloomery.benchmarks.paired.Operation;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names in options: a constant as {@code batch-miss}, a number as {@code 1e7}. */
final class OptionNames {

  private OptionNames() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> E parse(Class<E> type, String name) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(OptionNames::of).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw new TypeConversionException(
          "must be of %s, but is '%s'".formatted(String.join(", ", names), name));
    }
    return type.getEnumConstants()[index];
  }

  /** Parses a kind of key. */
  static final class OfKind implements ITypeConverter<KeyKind> {
    @Override
    public KeyKind convert(String name) {
      return parse(KeyKind.class, name);
    }
  }

  /** Parses an operation. */
  static final class OfOperation implements ITypeConverter<Operation> {
    @Override
    public Operation convert(String name) {
      return parse(Operation.class, name);
    }
  }

  /** Parses a further measurement. */
  static final class OfExtra implements ITypeConverter<Extra> {
    @Override
    public Extra convert(String name) {
      return parse(Extra.class, name);
    }
  }

  /** Parses a number of keys. */
  static final class OfSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
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
}
