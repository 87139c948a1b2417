package io.bloomery.filter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/** Thrown when bytes are not a filter, are corrupt, or have an unsupported format. */
public class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;
  private final String reason;

  /**
   * Creates an exception about the byte at {@code offset}, counted from the start of the filter.
   */
  public FilterFormatException(long offset, String reason) {
    super(message(offset, reason));
    this.offset = offset;
    this.reason = reason;
  }

  /**
   * Creates an exception about bytes that were rejected, with the message of the rejection if it
   * has one.
   */
  public FilterFormatException(long offset, RuntimeException refusal) {
    this(offset, reasonOf(refusal), refusal);
  }

  private FilterFormatException(long offset, String reason, RuntimeException refusal) {
    super(message(offset, reason), refusal);
    this.offset = offset;
    this.reason = reason;
  }

  private FilterFormatException(String message, FilterFormatException cause) {
    super(message, cause);
    this.offset = cause.offset;
    this.reason = cause.reason;
  }

  private static String message(long offset, String reason) {
    return "byte " + offset + ": " + reason;
  }

  private static String reasonOf(RuntimeException refusal) {
    return Objects.requireNonNullElse(refusal.getMessage(), refusal.toString());
  }

  /** Returns a copy of this exception whose message names the file. */
  public FilterFormatException in(Path path) {
    return new FilterFormatException(path + ": " + getMessage(), this);
  }

  /** Returns the message without the offset: the requirement and the value found. */
  public String reason() {
    return reason;
  }

  /** Returns the offset of the fault in the bytes of the filter. */
  public long offset() {
    return offset;
  }
}
