package io.bloomery.cli.session;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** URLs among the arguments and in messages. */
public final class Urls {

  /** How a URL begins; a path that was made of one keeps a single slash. */
  private static final Pattern START = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{1,30}:/+");

  /** How the name of a filter begins, after which an {@code @} ends no login. */
  private static final String FILTER = "?filter=";

  private Urls() {}

  /** Returns whether an argument is a URL and not the name of a file. */
  public static boolean isUrl(String argument) {
    Matcher start = START.matcher(argument);
    return start.lookingAt() && start.group().endsWith("://");
  }

  /**
   * Returns a text with what stands before the host of each URL left out. A password with
   * characters that should have been escaped has no certain end: everything up to the last
   * {@code @} in the line is taken for it.
   */
  public static String withoutLogin(String text) {
    Matcher start = START.matcher(text);
    StringBuilder shown = new StringBuilder();
    int done = 0;
    while (start.find(done)) {
      int login = start.end();
      int end = text.lastIndexOf('@', end(text, login) - 1);
      shown.append(text, done, login);
      done = end < login ? login : end + 1;
    }
    return shown.append(text, done, text.length()).toString();
  }

  private static int end(String text, int from) {
    int lineEnd = text.indexOf('\n', from);
    int filter = text.indexOf(FILTER, from);
    int end = lineEnd < 0 ? text.length() : lineEnd;
    return filter < 0 ? end : Math.min(end, filter);
  }
}
