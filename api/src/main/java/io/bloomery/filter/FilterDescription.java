package io.bloomery.filter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A description of a filter by its variant, in words for people: programs print it and do not
 * decide by it.
 */
public final class FilterDescription {

  /** The description by a variant that says nothing. */
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
   * Makes a description without numbers, to which {@link #meaning} and {@link #part} add.
   *
   * @param structure how the filter is built, a phrase such as {@code "one bit array; the bits of a
   *     key lie anywhere in it"}; empty if the variant says nothing
   * @param queryCost what a query reads from memory at most, in two or three words such as {@code
   *     "7 reads"}; empty if the variant says nothing
   */
  public static FilterDescription of(String structure, String queryCost) {
    return new FilterDescription(structure, queryCost, Map.of(), Map.of());
  }

  /** Returns the same description with the meaning of one number of the layout. */
  public FilterDescription meaning(String name, String meaning) {
    Map<String, String> more = new LinkedHashMap<>(meanings);
    more.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(meaning, "meaning"));
    return new FilterDescription(structure, queryCost, parts, more);
  }

  /** Returns the same description with one more number and what it means. */
  public FilterDescription part(String name, long value, String meaning) {
    Map<String, Long> more = new LinkedHashMap<>(parts);
    more.put(name, value);
    return new FilterDescription(structure, queryCost, more, meanings).meaning(name, meaning);
  }

  /** Returns how the filter is built, in a phrase. */
  public String structure() {
    return structure;
  }

  /** Returns what a query reads from memory at most, in two or three words. */
  public String queryCost() {
    return queryCost;
  }

  /**
   * Returns numbers that follow from the layout or the content, such as {@code blocks}, in the
   * order to show them.
   */
  public Map<String, Long> parts() {
    return parts;
  }

  /** Returns what numbers of the layout and parts mean, by their names. */
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
