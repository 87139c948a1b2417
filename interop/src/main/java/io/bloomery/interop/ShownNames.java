package io.bloomery.interop;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Names from a file, of columns or classes, in a message of one line: files of unknown origin have
 * names of any number and length, with any characters.
 */
final class ShownNames {

  private static final int MOST = 40;
  private static final int LONGEST = 200;

  private ShownNames() {}

  static String of(String name) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(LONGEST)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown + (name.codePointCount(0, name.length()) > LONGEST ? "..." : "");
  }

  static String of(Collection<String> names) {
    String first = names.stream().limit(MOST).map(ShownNames::of).collect(Collectors.joining(", "));
    return names.size() > MOST ? first + " and " + (names.size() - MOST) + " others" : first;
  }
}
