package io.bloomery.internal;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The rules for the attributes of a filter: few and short texts by name, in the order of names. */
public final class Attributes {

  /** How keys were written before they became bytes, if not as they are; see docs/FORMAT.md. */
  public static final String KEY_FORM = "bloomery.key-form";

  /** Which shard of how many a filter is, as {@code 3/64}; see docs/FORMAT.md. */
  public static final String SHARD = "bloomery.shard";

  public static final int MAX_COUNT = 16;
  public static final int MAX_NAME_LENGTH = 32;
  static final int MAX_BYTES = 1 << 10;

  private static final String OURS = "bloomery.";

  private Attributes() {}

  /**
   * Returns a copy that does not change, in ascending order of names.
   *
   * @throws IllegalArgumentException if one is not allowed
   */
  public static SortedMap<String, String> checked(Map<String, String> attributes) {
    if (attributes.size() > MAX_COUNT) {
      throw new IllegalArgumentException(
          "attributes must be at most "
              + MAX_COUNT
              + ", but are "
              + attributes.size()
              + ours(attributes)
              + "; leave one out, or put the texts of two into one");
    }
    SortedMap<String, String> sorted = new TreeMap<>(attributes);
    int bytes = 0;
    for (Map.Entry<String, String> attribute : sorted.entrySet()) {
      checkName(attribute.getKey());
      bytes += attribute.getKey().length() + checkedLength(attribute);
    }
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "names and texts of attributes must have at most "
              + MAX_BYTES
              + " bytes together, but have "
              + bytes);
    }
    return Collections.unmodifiableSortedMap(sorted);
  }

  /** Says which were not given by the user, who would otherwise count one less. */
  private static String ours(Map<String, String> attributes) {
    String ours =
        attributes.keySet().stream()
            .filter(name -> name.startsWith(OURS))
            .sorted()
            .collect(Collectors.joining(" and "));
    return ours.isEmpty() ? "" : ", with " + ours + ", which Bloomery adds";
  }

  private static void checkName(String name) {
    if (!Names.isName(name, MAX_NAME_LENGTH)) {
      throw new IllegalArgumentException(
          "an attribute's name must be 1 to "
              + MAX_NAME_LENGTH
              + " printable ASCII characters, but was '"
              + name
              + "'");
    }
  }

  /** Returns how many bytes of UTF-8 a text has. */
  private static int checkedLength(Map.Entry<String, String> attribute) {
    String text = attribute.getValue();
    if (text == null) {
      throw new IllegalArgumentException(
          "the text of attribute '" + attribute.getKey() + "' must not be null");
    }
    if (hasRefused(text)) {
      throw new IllegalArgumentException(
          "the text of attribute '"
              + attribute.getKey()
              + "' must be of Unicode characters without control characters, but is not");
    }
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean hasRefused(String text) {
    for (int i = 0, codePoint; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      if (Character.isISOControl(codePoint)
          || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses a name that users may not give a meaning of their own.
   *
   * @throws IllegalArgumentException if it is one that Bloomery keeps for itself
   */
  public static void checkNotOurs(String name) {
    if (name.startsWith(OURS)) {
      throw new IllegalArgumentException(
          "names of attributes that begin with '"
              + OURS
              + "' are Bloomery's own, but one was '"
              + name
              + "'; begin it with the name of your organisation");
    }
  }
}
