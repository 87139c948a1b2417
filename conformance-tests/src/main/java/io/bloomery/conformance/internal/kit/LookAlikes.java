package io.bloomery.conformance.internal.kit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Hash ids, or other texts, that a comparison of less than all characters takes for equal. */
public final class LookAlikes {

  /** The maximum length of a hash id. */
  public static final int MAX_LENGTH = 255;

  private LookAlikes() {}

  /** Draws a text as hashers have for an id, half of the time as long as may be. */
  public static String draw(SplittableRandom random) {
    int digits = 1 + random.nextInt(16);
    String end = "-64/utf8/seed=" + Long.toUnsignedString(random.nextLong() | 1L << 60, 16);
    end = end.substring(0, "-64/utf8/seed=".length() + digits - 1) + random.nextInt(10);
    int room = MAX_LENGTH - end.length();
    int length = random.nextBoolean() ? room : 2 + random.nextInt(random.nextInt(2, room - 1));
    StringBuilder text = new StringBuilder("aC"); // letters, of both cases
    while (text.length() < length) {
      text.append((char) random.nextInt('A', 'z'));
    }
    return text.append(end).toString();
  }

  /**
   * Returns texts that differ from one in a character at either end or between them, the case of
   * letters, a digit, the order of characters, or the length, and one of equal hash code.
   */
  public static List<String> of(String text, SplittableRandom random) {
    int last = text.length() - 1;
    List<String> all = new ArrayList<>();
    all.add(changed(text, 0));
    all.add(changed(text, last));
    all.add(changed(text, last / 2));
    all.add(changed(text, random.nextInt(last + 1)));
    all.add(text.substring(0, last));
    all.add(text.substring(1));
    all.add(text.length() < MAX_LENGTH ? text + "0" : text.substring(0, last) + "~");
    int letter = at(text, random, i -> Character.isLetter(text.charAt(i)));
    all.add(replaced(text, letter, (char) (text.charAt(letter) ^ ' ')));
    int pair = at(text, random, i -> i < last && text.charAt(i) != text.charAt(i + 1));
    char first = text.charAt(pair);
    char second = text.charAt(Math.min(pair + 1, last));
    all.add(replaced(replaced(text, pair, second), Math.min(pair + 1, last), first));
    int equal = at(text, random, i -> i < last && text.charAt(i) < '~' && text.charAt(i + 1) > '@');
    if (equal < last) {
      char one = (char) (text.charAt(equal) + 1);
      char other = (char) (text.charAt(equal + 1) - 31);
      all.add(replaced(replaced(text, equal, one), equal + 1, other));
    }
    Set<String> different = new LinkedHashSet<>(all);
    different.remove(text);
    different.removeIf(other -> !other.chars().allMatch(i -> i > ' ' && i < 0x7f));
    different.remove("");
    return List.copyOf(different);
  }

  private interface Test {
    boolean isAt(int index);
  }

  /** Returns an index at which a test holds, from a random one on; the first index if none is. */
  private static int at(String text, SplittableRandom random, Test test) {
    int begin = random.nextInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      int index = (begin + i) % text.length();
      if (test.isAt(index)) {
        return index;
      }
    }
    return 0;
  }

  private static String changed(String text, int at) {
    return replaced(text, at, (char) (text.charAt(at) ^ 1));
  }

  private static String replaced(String text, int at, char with) {
    return text.substring(0, at) + with + text.substring(at + 1);
  }
}
