package io.bloomery.cli.session;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The width of the terminal in columns. */
public final class TerminalWidth {

  private static final int USUAL = 80;
  private static final int WIDEST = 200;
  private static final Pattern SIZE = Pattern.compile("\\d+ ([1-9]\\d{0,4})");

  private TerminalWidth() {}

  /**
   * Returns the width, at most 200, by {@code stty}, since Java does not provide it; 80 if the
   * output is not a terminal or the width is unknown.
   */
  public static int of(Session session) {
    if (!session.terminal().out()) {
      return USUAL;
    }
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      stty.waitFor(1, TimeUnit.SECONDS);
      Matcher matcher = SIZE.matcher(size);
      return matcher.matches() ? Math.min(WIDEST, Integer.parseInt(matcher.group(1))) : USUAL;
    } catch (IOException e) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }
}
