package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a number of bits per key. */
public final class BitsConverter implements ITypeConverter<Double> {

  @Override
  public Double convert(String text) {
    try {
      double bits = Double.parseDouble(text);
      if (bits > 0 && bits < Double.POSITIVE_INFINITY) {
        return bits;
      }
    } catch (NumberFormatException e) {
      // Reported below, as numbers out of range are.
    }
    throw new TypeConversionException(
        "must be a number above 0, but was '" + text + "'; 9.6 are enough for a rate of 1 %");
  }
}
