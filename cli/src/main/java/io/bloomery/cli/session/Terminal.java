package io.bloomery.cli.session;

import java.util.Map;

/**
 * Who watches: nothing that moves or has colours goes anywhere else.
 *
 * @param out whether a person watches the standard output
 * @param err whether a person watches the standard error
 * @param colours whether that person sees colours
 */
public record Terminal(boolean out, boolean err, boolean colours) {

  /** For files and pipes. */
  public static final Terminal NONE = new Terminal(false, false, false);

  private static final String ESCAPE = "\u001b[";

  /** Asks the launcher, as Java cannot tell who watches one stream, and the environment. */
  public static Terminal of(Map<String, String> environment) {
    boolean err = Boolean.getBoolean("bloomery.terminal");
    boolean colours =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    return new Terminal(Boolean.getBoolean("bloomery.terminal.out"), err, err && colours);
  }

  /** Returns the text as errors are marked. */
  String red(String text) {
    return colours ? ESCAPE + "1;31m" + text + ESCAPE + "0m" : text;
  }

  /** Returns the text as warnings are marked. */
  String yellow(String text) {
    return colours ? ESCAPE + "1;33m" + text + ESCAPE + "0m" : text;
  }
}
