package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;

/** Parses a size such as {@code 64MiB}; the command checks its range. */
public final class BytesConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    return Amount.bytes(text);
  }
}
