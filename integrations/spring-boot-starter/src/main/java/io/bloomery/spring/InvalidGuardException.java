package io.bloomery.spring;

import org.jspecify.annotations.Nullable;

/** Thrown if the properties of a guard are invalid. */
final class InvalidGuardException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String action;

  /**
   * Creates an exception with a description of the problem and a remedy.
   *
   * @param guard the name of the guard
   */
  InvalidGuardException(String guard, String problem, String action, @Nullable Throwable cause) {
    super(BloomeryProperties.PREFIX + ".guards." + guard + ": " + problem, cause);
    this.action = action;
  }

  String action() {
    return action;
  }
}
