package io.bloomery.cli;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;

/**
 * Bytes from the system that are no characters in the encoding of the locale. Java replaces each of
 * them by one character, so that several names of files become one.
 */
final class Undecoded {

  private static final char REPLACEMENT = '\uFFFD';

  private Undecoded() {}

  /**
   * Checks the arguments, the working folder and the class path.
   *
   * @throws Failure if one of them may stand for another
   */
  static void check(String... arguments) throws Failure {
    for (String argument : arguments) {
      check("'" + argument + "'", argument);
    }
    check("the working folder", System.getProperty("user.dir"));
    check("BLOOMERY_PATH", System.getProperty("java.class.path"));
  }

  private static void check(String what, String value) throws Failure {
    if (value.indexOf(REPLACEMENT) >= 0) {
      throw Failure.usage(
          "%s must be written in the encoding of this locale, %s, but has bytes that are not,"
              + " or the sign that replaces them, and cannot be told from other names; set"
              + " LC_ALL=C.UTF-8, or give the file another name",
          what, Session.CHARSET);
    }
  }
}
