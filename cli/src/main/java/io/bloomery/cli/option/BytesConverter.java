package io.bloomery.cli.option;

import picocli.CommandLine.ITypeConverter;

/** Reads a size, as in {@code 64MiB}; its range is the business of who takes it. */
public final class BytesConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String text) {
    return Amount.bytes(text);
  }
}
