package io.bloomery.internal;

/** The names that stand in files: of variants, hash functions, numbers of layouts, attributes. */
public final class Names {

  private Names() {}

  /** Returns whether a text is 1 to {@code maxLength} printable ASCII characters without spaces. */
  public static boolean isName(String text, int maxLength) {
    // Each opening of a file comes by here: a stream would take a millisecond of the first one.
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= maxLength;
  }
}
