package io.bloomery.cli.session;

/**
 * Text that a terminal displays and does not interpret: characters that would move the cursor,
 * change colours or turn the direction of writing are replaced by their code in hex, as {@code
 * \x1b} or {@code \u202e}. File names, keys and column names may come from untrusted sources.
 *
 * <p>This is for people. Lines of an input are printed unchanged, and programs read {@code --json}.
 */
public final class VisibleText {

  private VisibleText() {}

  /** Returns the text as a single line. */
  public static String line(String text) {
    return written(text, "");
  }

  /** Returns the text with its line ends and tabs kept, as for a table or a stack trace. */
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

  /** Returns whether a terminal would interpret a character or cannot display it. */
  public static boolean isObeyed(int c) {
    return Character.isISOControl(c)
        || isLineEnd(c)
        || turnsDirection(c)
        // A lone surrogate, which has no glyph.
        || Character.getType(c) == Character.SURROGATE;
  }

  private static boolean isLineEnd(int c) {
    return c == 0x2028 || c == 0x2029;
  }

  /** Returns whether a character has the Unicode property Bidi_Control. */
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
