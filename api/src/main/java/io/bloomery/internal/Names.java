package io.bloomery.internal;

/** The rules for names in files: of variants, hash functions, numbers of layouts and attributes. */
public final class Names {

  private Names() {}

  /** Returns whether a text is 1 to {@code maxLength} printable ASCII characters without spaces. */
  public static boolean isName(String text, int maxLength) {
    // Not a stream: this runs for every file that is opened, and a stream would add a millisecond
    // to the first opening.
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= maxLength;
  }
}
