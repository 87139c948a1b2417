package io.bloomery.internal;

/** The names that stand in files: of variants, hash functions, numbers of layouts, attributes. */
public final class Names {

  private Names() {}

  /** Returns whether a text is 1 to {@code maxLength} printable ASCII characters without spaces. */
  public static boolean isName(String text, int maxLength) {
    return !text.isEmpty()
        && text.length() <= maxLength
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
