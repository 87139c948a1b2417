package io.bloomery.internal;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rules for the attributes of a filter: at most {@value #MAX_COUNT} short texts by name, sorted
 * by name.
 */
public final class Attributes {

  /** The attribute with the form of the keys, absent if plain; see docs/FORMAT.md. */
  public static final String KEY_FORM = "bloomery.key-form";

  /**
   * The attribute of a shard with its number and the number of shards, as {@code 3/64}; see
   * docs/FORMAT.md.
   */
  public static final String SHARD = "bloomery.shard";

  /** The attribute of an intersection of filters; its text is {@code true}, see docs/FORMAT.md. */
  public static final String INTERSECTION = "bloomery.intersection";

  public static final int MAX_COUNT = 16;
  public static final int MAX_NAME_LENGTH = 32;
  static final int MAX_BYTES = 1 << 10;

  private static final String OURS = "bloomery.";

  private Attributes() {}

  /**
   * Returns an immutable copy in ascending order of names.
   *
   * @throws IllegalArgumentException if an attribute is invalid
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

  /**
   * Returns the part of a message that lists the attributes not set by the user, who would
   * otherwise count fewer.
   */
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

  /** Checks the text of an attribute and returns its length in bytes of UTF-8. */
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
   * Rejects names that are reserved for this library.
   *
   * @throws IllegalArgumentException if the name is reserved
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
