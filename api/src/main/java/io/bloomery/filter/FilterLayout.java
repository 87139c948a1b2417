package io.bloomery.filter;

import io.bloomery.internal.Names;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The named numbers, {@code bits} and {@code probes} for example, that together with the variant
 * determine the bit positions of a hash; ordered by name. The numbers of a layout that was read
 * from a file are arbitrary until a provider has checked them.
 */
public final class FilterLayout {

  /** The layout without numbers. */
  public static final FilterLayout EMPTY = new FilterLayout(new TreeMap<>());

  private static final int MAX_COUNT = 64;
  private static final int MAX_NAME_LENGTH = 32;

  private final SortedMap<String, Long> numbers;

  private FilterLayout(SortedMap<String, Long> numbers) {
    this.numbers = Collections.unmodifiableSortedMap(numbers);
  }

  /**
   * Returns a layout of one number, to be extended by {@link #with}.
   *
   * @throws IllegalArgumentException if the name is invalid
   */
  public static FilterLayout of(String name, long number) {
    return EMPTY.with(name, number);
  }

  /**
   * Returns a layout of numbers by name.
   *
   * @throws IllegalArgumentException if a name is invalid, or there are more than 64 numbers
   */
  public static FilterLayout of(Map<String, Long> numbers) {
    if (numbers.size() > MAX_COUNT) {
      throw new IllegalArgumentException(
          "layout must have at most " + MAX_COUNT + " numbers, but has " + numbers.size());
    }
    SortedMap<String, Long> sorted = new TreeMap<>(numbers);
    for (String name : sorted.keySet()) {
      if (!Names.isName(name, MAX_NAME_LENGTH)) {
        throw new IllegalArgumentException(
            "the name of a number must be 1 to "
                + MAX_NAME_LENGTH
                + " printable ASCII characters, but was '"
                + name
                + "'");
      }
    }
    return new FilterLayout(sorted);
  }

  /**
   * Returns a copy of this layout with a number added or replaced.
   *
   * @throws IllegalArgumentException as for {@link #of(Map)}
   */
  public FilterLayout with(String name, long number) {
    SortedMap<String, Long> more = new TreeMap<>(numbers);
    more.put(name, number);
    return of(more);
  }

  /**
   * Returns the number of a name.
   *
   * @throws IllegalArgumentException if there is no number of this name; the message lists the
   *     names
   */
  public long get(String name) {
    Long number = numbers.get(name);
    if (number == null) {
      throw new IllegalArgumentException(
          "layout must have '" + name + "', but has " + numbers.keySet());
    }
    return number;
  }

  /** Returns the numbers by name, in ascending order. */
  public SortedMap<String, Long> toMap() {
    return numbers;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterLayout layout && layout.numbers.equals(numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }

  /** Returns the numbers in the form {@code {bits=64, probes=1}}. */
  @Override
  public String toString() {
    return numbers.toString();
  }
}
