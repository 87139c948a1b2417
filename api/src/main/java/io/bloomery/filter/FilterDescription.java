package io.bloomery.filter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A human-readable description of a filter, provided by its variant; meant for display, not to be
 * parsed.
 */
public final class FilterDescription {

  /** The empty description, of variants that provide none. */
  public static final FilterDescription NONE = of("", "");

  private final String structure;
  private final String queryCost;
  private final Map<String, Long> parts;
  private final Map<String, String> meanings;

  private FilterDescription(
      String structure, String queryCost, Map<String, Long> parts, Map<String, String> meanings) {
    this.structure = Objects.requireNonNull(structure, "structure");
    this.queryCost = Objects.requireNonNull(queryCost, "queryCost");
    this.parts = Collections.unmodifiableMap(parts);
    this.meanings = Collections.unmodifiableMap(meanings);
  }

  /**
   * Returns a description without numbers, to be extended by {@link #meaning} and {@link #part}.
   *
   * @param structure how the filter is built, a phrase such as {@code "one bit array; the bits of a
   *     key lie anywhere in it"}; empty if the variant provides none
   * @param queryCost the maximum memory reads of a query, in two or three words such as {@code "7
   *     reads"}; empty if the variant provides none
   */
  public static FilterDescription of(String structure, String queryCost) {
    return new FilterDescription(structure, queryCost, Map.of(), Map.of());
  }

  /** Returns a copy of this description with the meaning of a number of the layout. */
  public FilterDescription meaning(String name, String meaning) {
    Map<String, String> more = new LinkedHashMap<>(meanings);
    more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(meaning, "meaning"));
    return new FilterDescription(structure, queryCost, parts, more);
  }

  /**
   * Returns a copy of this description with a further number and its meaning.
   *
   * @param value not negative; that of the layout, if a number there has this name
   */
  public FilterDescription part(String name, long value, String meaning) {
    if (value < 0) {
      throw new IllegalArgumentException(
          "a part must not be negative, but " + name + " was " + value);
    }
    Map<String, Long> more = new LinkedHashMap<>(parts);
    more.put(name, value);
    return new FilterDescription(structure, queryCost, more, meanings).meaning(name, meaning);
  }

  /** Returns a phrase on the structure of the filter. */
  public String structure() {
    return structure;
  }

  /** Returns the maximum memory reads of a query, in two or three words. */
  public String queryCost() {
    return queryCost;
  }

  /**
   * Returns numbers that are derived from the layout or the content, such as {@code blocks}, in
   * display order.
   */
  public Map<String, Long> parts() {
    return parts;
  }

  /** Returns the meanings of the numbers of the layout and of the parts, by name. */
  public Map<String, String> meanings() {
    return meanings;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterDescription description
        && description.structure.equals(structure)
        && description.queryCost.equals(queryCost)
        && description.parts.equals(parts)
        && description.meanings.equals(meanings);
  }

  @Override
  public int hashCode() {
    return Objects.hash(structure, queryCost, parts, meanings);
  }

  @Override
  public String toString() {
    return "'" + structure + "', " + queryCost + " a query, " + parts;
  }
}
