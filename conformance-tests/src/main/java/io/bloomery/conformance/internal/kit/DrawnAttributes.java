package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyForm;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random attributes of every permitted number, length and kind of character. */
public final class DrawnAttributes {

  private static final int MAX_COUNT = 16;
  private static final int MAX_NAME_LENGTH = 32;
  private static final int MAX_BYTES = 1 << 10;

  /** The first and last code point for each length in UTF-8, without control characters. */
  private static final int[][] CODE_POINTS = {
    {' ', '~'}, {0xa0, 0x7ff}, {0x800, 0xffff}, {0x10000, 0x10ffff}
  };

  private DrawnAttributes() {}

  /** Returns the key form in a spec, {@code "plain"} if there is none. */
  public static String keyForm(FilterSpec spec) {
    return spec.attributes().getOrDefault(KeyForm.ATTRIBUTE, "plain");
  }

  /** Returns attributes at the limits of number, length and size. */
  public static List<SortedMap<String, String>> atTheEdges(SplittableRandom random) {
    return List.of(
        new TreeMap<>(),
        new TreeMap<>(Map.of("n", "")),
        attributes(random, 1, 1, MAX_BYTES),
        attributes(random, 1, MAX_NAME_LENGTH, MAX_BYTES),
        attributes(random, MAX_COUNT, MAX_NAME_LENGTH, MAX_BYTES),
        attributes(random, MAX_COUNT, 1, MAX_BYTES));
  }

  /** Draws attributes. */
  public static SortedMap<String, String> of(SplittableRandom random) {
    int count = random.nextInt(MAX_COUNT + 1);
    int nameLength = 1 + random.nextInt(MAX_NAME_LENGTH);
    int bytes = count * nameLength;
    return attributes(random, count, nameLength, bytes + random.nextInt(MAX_BYTES - bytes + 1));
  }

  /** Draws attributes with names of one length and a given total size in bytes. */
  private static SortedMap<String, String> attributes(
      SplittableRandom random, int count, int nameLength, int bytes) {
    SortedMap<String, String> attributes = new TreeMap<>();
    int left = bytes - count * nameLength;
    while (attributes.size() < count) {
      String name = name(random, nameLength);
      if (!attributes.containsKey(name)) {
        int length = attributes.size() + 1 == count ? left : random.nextInt(left + 1);
        attributes.put(name, text(random, length));
        left -= length;
      }
    }
    return attributes;
  }

  private static String name(SplittableRandom random, int length) {
    StringBuilder name = new StringBuilder();
    while (name.length() < length) {
      name.append((char) random.nextInt('!', '~' + 1));
    }
    return name.toString();
  }

  /** Draws a text with a given length in bytes of UTF-8. */
  public static String text(SplittableRandom random, int bytes) {
    StringBuilder text = new StringBuilder();
    for (int left = bytes; left > 0; ) {
      int length = 1 + random.nextInt(Math.min(left, CODE_POINTS.length));
      int[] range = CODE_POINTS[length - 1];
      int codePoint = random.nextInt(range[0], range[1] + 1);
      if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
        text.appendCodePoint(codePoint);
        left -= length;
      }
    }
    return text.toString();
  }
}
