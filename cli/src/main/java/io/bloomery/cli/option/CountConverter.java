package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;

/**
 * Reads a whole number, as in {@code 10M} or {@code 1e7}; its range is the business of who takes
 * it.
 */
public final class CountConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    return Amount.count(text);
  }
}
