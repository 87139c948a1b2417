package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What a command has to work with.
 *
 * @param in the standard input
 * @param out the standard output; a failed write is an {@link OutputException}
 * @param err where to say what does not belong in the output
 * @param terminal whether a person watches {@code err}
 * @param installed finds the variants, which takes a moment
 */
record Session(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean terminal,
    Supplier<Bloomery> installed) {

  /** How the terminal and the names of files are encoded. */
  static final Charset CHARSET = Charset.forName(System.getProperty("native.encoding"));

  /**
   * Finds the variants.
   *
   * @throws Failure if two of them have one name
   */
  Bloomery bloomery() throws Failure {
    try {
      return installed.get();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  /** Writes text to the output. */
  void print(String text) throws IOException {
    out.write(text.getBytes(CHARSET));
  }

  /** Says something in one line that does not belong in the output. */
  void say(String format, Object... values) {
    err.println("bloomery: " + String.format(Locale.ROOT, format, values));
  }
}
