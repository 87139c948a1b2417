package io.bloomery.cli.session;

/**
 * Text that a terminal shows and does not obey: what would move it, colour it or turn the direction
 * of writing is written in hex instead, as {@code \x1b} or {@code \u202e}. Names of files, keys and
 * columns come from anybody.
 *
 * <p>This is for eyes. Lines of an input are printed as they are, and programs read {@code --json}.
 */
public final class VisibleText {

  private VisibleText() {}

  /** Returns text that is one line, whatever is in it. */
  public static String line(String text) {
    return written(text, "");
  }

  /** Returns text whose line ends and tabs stay, as those of a table or a stack trace are meant. */
  public static String lines(String text) {
    return written(text, "\n\t");
  }

  private static String written(String text, String kept) {
    int first = 0;
    while (first < text.length() && isPlain(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    StringBuilder written = new StringBuilder(text.length() + 16).append(text, 0, first);
    text.substring(first)
        .codePoints()
        .forEach(
            c -> {
              if (isObeyed(c) && kept.indexOf(c) < 0) {
                written.append(hex(c));
              } else {
                written.appendCodePoint(c);
              }
            });
    return written.toString();
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f;
  }

  /** Returns whether a character does something instead of being seen. */
  public static boolean isObeyed(int c) {
    return Character.isISOControl(c)
        || isLineEnd(c)
        || turnsDirection(c)
        // Half a character, for which there is nothing to show.
        || Character.getType(c) == Character.SURROGATE;
  }

  private static boolean isLineEnd(int c) {
    return c == 0x2028 || c == 0x2029;
  }

  /** Returns whether a character has the property Bidi_Control of Unicode. */
  private static boolean turnsDirection(int c) {
    return c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  private static String hex(int c) {
    return String.format(c <= 0xff ? "\\x%02x" : "\\u%04x", c);
  }
}
