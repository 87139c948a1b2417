package io.bloomery.cli.session;

import java.util.Map;

/**
 * Which streams are shown on a terminal; only these show progress and colours.
 *
 * @param out whether the standard output is a terminal
 * @param err whether the standard error is a terminal
 * @param colours whether the standard error is shown in colours
 */
public record Terminal(boolean out, boolean err, boolean colours) {

  /** For files and pipes. */
  public static final Terminal NONE = new Terminal(false, false, false);

  private static final String ESCAPE = "\u001b[";

  /**
   * Reads the properties that the launcher sets, since Java cannot determine whether a single
   * stream is a terminal, and the environment.
   */
  public static Terminal of(Map<String, String> environment) {
    boolean err = Boolean.getBoolean("bloomery.terminal");
    boolean colours =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    return new Terminal(Boolean.getBoolean("bloomery.terminal.out"), err, err && colours);
  }

  /** Returns the text in the colour of errors. */
  String red(String text) {
    return colours ? ESCAPE + "1;31m" + text + ESCAPE + "0m" : text;
  }

  /** Returns the text in the colour of warnings. */
  String yellow(String text) {
    return colours ? ESCAPE + "1;33m" + text + ESCAPE + "0m" : text;
  }
}
