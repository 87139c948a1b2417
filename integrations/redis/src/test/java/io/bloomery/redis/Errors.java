package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterUnavailableException;
import org.junit.jupiter.api.function.Executable;

/** What calls throw, and what it says. */
final class Errors {

  private Errors() {}

  /** Checks that a call throws this very type, whose message contains a part, and returns it. */
  static String assertRefused(Class<? extends Exception> type, String part, Executable call) {
    String message = String.valueOf(assertThrowsExactly(type, call, part).getMessage());
    assertTrue(message.contains(part), message);
    return message;
  }

  static String assertUnavailable(String part, Executable call) {
    return assertRefused(FilterUnavailableException.class, part, call);
  }
}
