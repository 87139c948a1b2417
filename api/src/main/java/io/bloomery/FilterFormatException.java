package io.bloomery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Thrown when bytes are not a filter, or not one that can be read here. */
public class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;
  private final String reason;

  /** Makes an exception about the byte at {@code offset}, counted from the start of the filter. */
  public FilterFormatException(long offset, String reason) {
    super("byte " + offset + ": " + reason);
    this.offset = offset;
    this.reason = reason;
  }

  private FilterFormatException(String message, FilterFormatException cause) {
    super(message, cause);
    this.offset = cause.offset;
    this.reason = cause.reason;
  }

  FilterFormatException in(Path path) {
    return new FilterFormatException(path + ": " + getMessage(), this);
  }

  /** Returns why something was refused, in the words of the refusal if it has any. */
  static String reasonOf(RuntimeException refusal) {
    return Objects.requireNonNullElse(refusal.getMessage(), refusal.toString());
  }

  String reason() {
    return reason;
  }

  /** Returns where in the filter's bytes the fault was found. */
  public long offset() {
    return offset;
  }
}
