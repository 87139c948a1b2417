package io.bloomery.cli.key;

/** Thrown when a line cannot hold a key of the kind that was asked for; the message says why. */
public final class BadKeyException extends Exception {

  private static final long serialVersionUID = 1;

  BadKeyException(String message) {
    super(message);
  }
}
