package io.bloomery.guard;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a query to the source of a guard failed: the source threw, took too long, or broke
 * its contract. Nothing is cached, so that the next query reads the source again. The cause is the
 * exception of the source; messages never contain keys.
 */
public class SourceException extends RuntimeException {

  static final String NO_VALUE = "Optional.empty() for a key that it does not have";

  private static final long serialVersionUID = 1;
  private static final int MAX_CAUSES = 50;

  SourceException(String message) {
    super(message);
  }

  SourceException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the result of the source, if it is not null. */
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

  /** Returns whether the thread was interrupted, so that the source need not be at fault. */
  boolean isInterruption() {
    try {
      Throwable cause = getCause();
      for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++) {
        if (cause instanceof InterruptedException
            || cause instanceof ClosedByInterruptException
            || (cause instanceof InterruptedIOException
                && !(cause instanceof SocketTimeoutException))) {
          return true;
        }
        cause = cause.getCause();
      }
      return false;
    } catch (RuntimeException | Error e) {
      return true; // of a source's exception: nobody else is told of it
    }
  }

  static SourceException nullInsteadOf(String expected) {
    return new SourceException("the source must return " + expected + ", but returned null");
  }
}
