package io.bloomery.spring;

import org.jspecify.annotations.Nullable;

/** Thrown when the properties of a guard cannot be followed. */
final class InvalidGuardException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String action;

  /**
   * Says what is wrong, and what to do.
   *
   * @param guard its name
   */
  InvalidGuardException(String guard, String problem, String action, @Nullable Throwable cause) {
    super(BloomeryProperties.PREFIX + ".guards." + guard + ": " + problem, cause);
    this.action = action;
  }

  String action() {
    return action;
  }
}
