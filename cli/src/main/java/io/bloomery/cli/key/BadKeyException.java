package io.bloomery.cli.key;

/** Thrown when a line does not contain a key of the required kind; the message gives the reason. */
public final class BadKeyException extends Exception {

  private static final long serialVersionUID = 1;

  BadKeyException(String message) {
    super(message);
  }
}
