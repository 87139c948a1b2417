package io.bloomery.cli.session;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Supplier;

/** What a command has to work with, and how much it is to say. */
public final class Session {

  /** How the terminal and the names of files are encoded. */
  public static final Charset CHARSET = Charset.forName(System.getProperty("native.encoding"));

  private final InputStream in;
  private final OutputStream out;
  private final PrintStream err;
  private final Terminal terminal;
  private final Supplier<Bloomery> installed;
  private boolean quiet;
  private boolean debug;

  /**
   * Brings together what a command has.
   *
   * @param in the standard input
   * @param out the standard output; a failed write is an {@link OutputException}
   * @param err where to say what does not belong in the output
   * @param terminal who watches
   * @param installed finds the variants, which takes a moment
   */
  public Session(
      InputStream in,
      OutputStream out,
      PrintStream err,
      Terminal terminal,
      Supplier<Bloomery> installed) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.installed = installed;
  }

  public InputStream in() {
    return in;
  }

  public OutputStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  public Terminal terminal() {
    return terminal;
  }

  void setQuiet(boolean isQuiet) {
    quiet = isQuiet;
  }

  /** Returns whether nothing is to be said but errors and losses. */
  public boolean quiet() {
    return quiet;
  }

  void setDebug(boolean isDebug) {
    debug = isDebug;
  }

  /** Returns whether an error is to be said with its stack trace. */
  boolean debug() {
    return debug;
  }

  /**
   * Finds the variants.
   *
   * @throws Failure if two of them have one name
   */
  public Bloomery bloomery() throws Failure {
    try {
      return installed.get();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  /** Writes text to the output that is no data: what is not to be seen in it is made visible. */
  public void print(String text) throws IOException {
    out.write(VisibleText.lines(text).getBytes(CHARSET));
  }

  /** Says something in one line that does not belong in the output, unless told to be quiet. */
  public void say(String format, Object... values) {
    if (!quiet) {
      sayAloud("", format, values);
    }
  }

  /** Says what is not an error but should be looked at, unless told to be quiet. */
  public void warn(String format, Object... values) {
    if (!quiet) {
      warnOfLoss(format, values);
    }
  }

  /** Says what was lost, or is not kept as promised, to those who asked for quiet as well. */
  public void warnOfLoss(String format, Object... values) {
    sayAloud(terminal.yellow("warning:") + " ", format, values);
  }

  private void sayAloud(String mark, String format, Object... values) {
    err.println("bloomery: " + mark + VisibleText.line(String.format(Locale.ROOT, format, values)));
  }
}
