package io.bloomery.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number; its range is the business of who takes it. */
final class CountConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "must be a whole number, but was '" + text + "'; for a million write 1000000");
    }
  }
}
