package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a rate; the filter checks its range. */
public final class RateConverter implements ITypeConverter<Double> {

  @Override
  public Double convert(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "must be a plain number, but was '" + text + "'; for 1 % write 0.01");
    }
  }
}
