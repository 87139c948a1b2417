package io.bloomery.scalable;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import java.util.Set;

/**
 * The layout of a scalable filter: the parameters of its sequence of slices.
 *
 * @param firstSliceKeys the capacity of the first slice in keys, at least 1
 * @param growth the ratio of the capacities of a slice and the one before, from 2 to 16
 * @param tightening the rate of each slice after the first, in millionths of the rate of the one
 *     before, from 500,000 to 990,000
 * @param maxSlices the largest number of slices, from 1 to {@value #MAX_SLICES}
 * @param maxBytes the largest number of bytes of all tables together, at least 8
 */
record ScalableLayout(
    long firstSliceKeys, long growth, long tightening, long maxSlices, long maxBytes) {
  // decisions.md#rates-of-slices-are-multiplied-one-by-one

  /** Enough for 2^64 keys if each slice has twice the capacity of the one before. */
  static final int MAX_SLICES = 64;

  /** The denominator of {@link #tightening}. */
  static final int MILLION = 1_000_000;

  private static final String FIRST_SLICE_KEYS = "first-slice-keys";
  private static final String GROWTH = "growth";
  private static final String TIGHTENING = "tightening-ppm";
  private static final String MAX_SLICES_NAME = "max-slices";
  private static final String MAX_BYTES = "max-bytes";

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  ScalableLayout {
    check("keys of the first slice", firstSliceKeys, 1, Long.MAX_VALUE);
    check("growth", growth, 2, 16);
    check("tightening in millionths", tightening, 500_000, 990_000);
    check("max slices", maxSlices, 1, MAX_SLICES);
    check("max bytes", maxBytes, Long.BYTES, Long.MAX_VALUE);
  }

  private static void check(String what, long value, long min, long max) {
    if (value < min || value > max) {
      String range = max == Long.MAX_VALUE ? "at least " + min : "from " + min + " to " + max;
      throw new IllegalArgumentException(what + " must be " + range + ", but was " + value);
    }
  }

  /** Returns a description with the meanings of all five numbers. */
  FilterDescription describe(FilterDescription description) {
    return description
        .meaning(FIRST_SLICE_KEYS, "keys that the first slice takes")
        .meaning(GROWTH, "times as many keys go into each slice as into the one before")
        .meaning(TIGHTENING, "rate of each slice, in millionths of that of the one before")
        .meaning(MAX_SLICES_NAME, "slices that there may be")
        .meaning(MAX_BYTES, "bytes that all slices may take together");
  }

  /** Returns all five numbers by name, as in {@link io.bloomery.filter.Filter#layout}. */
  FilterLayout toLayout() {
    return FilterLayout.of(FIRST_SLICE_KEYS, firstSliceKeys)
        .with(GROWTH, growth)
        .with(TIGHTENING, tightening)
        .with(MAX_SLICES_NAME, maxSlices)
        .with(MAX_BYTES, maxBytes);
  }

  /**
   * Creates a layout from these five numbers.
   *
   * @throws IllegalArgumentException if there are others, one is missing, or one is out of range
   */
  static ScalableLayout of(FilterLayout numbers) {
    ScalableLayout any = new ScalableLayout(1, 2, MILLION / 2, 1, Long.BYTES);
    Set<String> names = any.toLayout().toMap().keySet();
    if (!numbers.toMap().keySet().equals(names)) {
      throw new IllegalArgumentException(
          "layout must have " + names + ", but has " + numbers.toMap().keySet());
    }
    return new ScalableLayout(
        numbers.get(FIRST_SLICE_KEYS),
        numbers.get(GROWTH),
        numbers.get(TIGHTENING),
        numbers.get(MAX_SLICES_NAME),
        numbers.get(MAX_BYTES));
  }
}
