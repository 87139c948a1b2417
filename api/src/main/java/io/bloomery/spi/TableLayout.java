package io.bloomery.spi;

import java.util.Map;
import java.util.Set;

/**
 * The layout of a filter that keeps its bits in one table.
 *
 * @param bits m, a multiple of 64, at most {@link BitTable#MAX_BITS}
 * @param probes k, from 1 to {@value #MAX_PROBES}
 */
public record TableLayout(long bits, int probes) {

  /** The most probes a query makes; enough for the lowest rate that 64-bit hashes allow. */
  public static final int MAX_PROBES = 64;

  private static final String BITS = "bits";
  private static final String PROBES = "probes";

  /**
   * Checks both values.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TableLayout {
    BitTable.checkSize(bits);
    if (probes < 1 || probes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "probes must be from 1 to " + MAX_PROBES + ", but was " + probes);
    }
  }

  /** Returns both numbers by name, as {@link io.bloomery.Filter#layout} gives them. */
  public Map<String, Long> toMap() {
    return Map.of(BITS, bits, PROBES, (long) probes);
  }

  /**
   * Makes a layout of two such numbers.
   *
   * @throws IllegalArgumentException if there are others, one is missing, or one is out of range
   */
  public static TableLayout of(Map<String, Long> numbers) {
    if (!numbers.keySet().equals(Set.of(BITS, PROBES))) {
      throw new IllegalArgumentException(
          "layout must have bits and probes, but has " + numbers.keySet());
    }
    long probes = numbers.get(PROBES);
    return new TableLayout(
        numbers.get(BITS), (int) Math.max(0, Math.min(probes, Integer.MAX_VALUE)));
  }
}
