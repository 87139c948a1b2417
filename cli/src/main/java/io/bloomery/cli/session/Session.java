package io.bloomery.cli.session;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Supplier;

/** The streams and settings of a command, and its messages to the user. */
public final class Session {

  /** The encoding of the terminal and of file names. */
  public static final Charset CHARSET = Charset.forName(System.getProperty("native.encoding"));

  private final InputStream in;
  private final StandardOutput out;
  private final PrintStream err;
  private final Terminal terminal;
  private final Supplier<Bloomery> installed;
  private boolean quiet;
  private boolean debug;

  /**
   * Creates a session.
   *
   * @param in the standard input
   * @param out the standard output
   * @param err the stream for everything that is not output
   * @param terminal which streams are shown on a terminal
   * @param installed finds the installed variants, which takes a moment
   */
  public Session(
      InputStream in,
      StandardOutput out,
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

  public StandardOutput out() {
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

  /** Returns whether only errors and losses are reported. */
  public boolean quiet() {
    return quiet;
  }

  void setDebug(boolean isDebug) {
    debug = isDebug;
  }

  /** Returns whether errors are reported with their stack traces. */
  boolean debug() {
    return debug;
  }

  /**
   * Returns the installed variants.
   *
   * @throws Failure if two of them have the same name
   */
  public Bloomery bloomery() throws Failure {
    return Failure.usageIfRefused(installed::get);
  }

  /** Writes text other than data to the output, with control characters made visible. */
  public void print(String text) throws IOException {
    out.write(VisibleText.lines(text).getBytes(CHARSET));
  }

  /** Reports something that is not output in one line, unless quiet. */
  public void say(String format, Object... values) {
    if (!quiet) {
      sayAloud("", format, values);
    }
  }

  /** Prints a warning, unless quiet. */
  public void warn(String format, Object... values) {
    if (!quiet) {
      warnOfLoss(format, values);
    }
  }

  /** Prints a warning that something was lost or a guarantee is no longer kept, even if quiet. */
  public void warnOfLoss(String format, Object... values) {
    sayAloud(terminal.yellow("warning:") + " ", format, values);
  }

  private void sayAloud(String mark, String format, Object... values) {
    err.println("bloomery: " + mark + VisibleText.line(String.format(Locale.ROOT, format, values)));
  }
}
