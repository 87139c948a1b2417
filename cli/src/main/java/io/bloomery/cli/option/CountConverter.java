package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;

/** Parses a whole number such as {@code 10M} or {@code 1e7}; the command checks its range. */
public final class CountConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    return Amount.count(text);
  }
}
