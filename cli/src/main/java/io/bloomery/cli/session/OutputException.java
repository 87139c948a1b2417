package io.bloomery.cli.session;

import java.io.IOException;
import java.util.Locale;

/** Thrown when writing to the standard output fails. */
public final class OutputException extends IOException {

  private static final long serialVersionUID = 1;

  OutputException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /**
   * Returns whether the reader of the output has stopped reading, as {@code head} does. Java
   * provides only the system's message for it.
   */
  boolean isBrokenPipe() {
    return says("pipe");
  }

  /** Returns whether the disk, the file or the share of the user has no room; told as above. */
  boolean isFull() {
    return says("space") || says("quota") || says("large");
  }

  private boolean says(String word) {
    return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains(word);
  }
}
