package io.bloomery.cli.session;

import java.io.IOException;
import java.util.Locale;

/** Thrown when the standard output takes no more. */
public final class OutputException extends IOException {

  private static final long serialVersionUID = 1;

  OutputException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /**
   * Returns whether whoever read the output has stopped, as {@code head} does. Java has only the
   * system's words for it.
   */
  boolean isBrokenPipe() {
    return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }
}
