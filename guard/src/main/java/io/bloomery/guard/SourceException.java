package io.bloomery.guard;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the source of a guard failed to tell whether it has a key: it threw, took too long,
 * or broke its contract. Nothing is taken from that, so that the next question asks it again. The
 * cause is what it threw; messages never contain keys.
 */
public class SourceException extends RuntimeException {

  static final String NO_VALUE = "Optional.empty() for a key that it does not have";

  private static final long serialVersionUID = 1;

  SourceException(String message) {
    super(message);
  }

  SourceException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns what the source returned, if it is not null. */
  static <T> T checked(@Nullable T returned, String expected) {
    if (returned == null) {
      throw nullInsteadOf(expected);
    }
    return returned;
  }

  // The message of the cause may contain the key.
  static SourceException failed(Throwable cause) {
    return new SourceException("the source failed: " + cause.getClass().getName(), cause);
  }

  // A new one for each thread, since its stack says who asked.
  static SourceException elsewhere(Throwable cause) {
    return cause instanceof SourceException
        ? new SourceException(String.valueOf(cause.getMessage()), cause)
        : failed(cause);
  }

  static SourceException nullInsteadOf(String expected) {
    return new SourceException("the source must return " + expected + ", but returned null");
  }
}
