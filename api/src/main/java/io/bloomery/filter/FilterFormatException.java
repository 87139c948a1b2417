package io.bloomery.filter;

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

  /** Makes an exception about bytes that something refused, in its words if it has any. */
  public FilterFormatException(long offset, RuntimeException refusal) {
    this(offset, Objects.requireNonNullElse(refusal.getMessage(), refusal.toString()));
    initCause(refusal);
  }

  private FilterFormatException(String message, FilterFormatException cause) {
    super(message, cause);
    this.offset = cause.offset;
    this.reason = cause.reason;
  }

  /** Returns the same exception, whose message says which file it is about. */
  public FilterFormatException in(Path path) {
    return new FilterFormatException(path + ": " + getMessage(), this);
  }

  /** Returns the message without the place: what must hold, and what is there. */
  public String reason() {
    return reason;
  }

  /** Returns where in the filter's bytes the fault was found. */
  public long offset() {
    return offset;
  }
}
