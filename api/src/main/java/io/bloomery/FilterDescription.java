package io.bloomery;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A description of a filter by its variant, in words for people: programs print it and do not
 * decide by it.
 *
 * @param structure how the filter is built, a phrase such as {@code "one bit array; the bits of a
 *     key lie anywhere in it"}; empty if the variant says nothing
 * @param queryCost what a query reads from memory at most, in two or three words such as {@code "7
 *     reads"}; empty if the variant says nothing
 * @param parts numbers that follow from the layout or the content, such as {@code blocks}, in the
 *     order to show them
 * @param meanings what numbers of the layout and parts mean, by their names
 */
public record FilterDescription(
    String structure, String queryCost, Map<String, Long> parts, Map<String, String> meanings) {

  /** The description by a variant that says nothing. */
  public static final FilterDescription NONE = new FilterDescription("", "");

  /** Copies the maps, so that a description does not change. */
  public FilterDescription {
    Objects.requireNonNull(structure, "structure");
    Objects.requireNonNull(queryCost, "queryCost");
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    meanings = Collections.unmodifiableMap(new LinkedHashMap<>(meanings));
  }

  /** Makes a description without numbers, to which {@link #meaning} and {@link #part} add. */
  public FilterDescription(String structure, String queryCost) {
    this(structure, queryCost, Map.of(), Map.of());
  }

  /** Returns the same description with the meaning of one number of the layout. */
  public FilterDescription meaning(String name, String meaning) {
    Map<String, String> more = new LinkedHashMap<>(meanings);
    more.put(name, Objects.requireNonNull(meaning, "meaning"));
    return new FilterDescription(structure, queryCost, parts, more);
  }

  /** Returns the same description with one more number and what it means. */
  public FilterDescription part(String name, long value, String meaning) {
    Map<String, Long> more = new LinkedHashMap<>(parts);
    more.put(name, value);
    return new FilterDescription(structure, queryCost, more, meanings).meaning(name, meaning);
  }
}
