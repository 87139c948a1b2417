package io.bloomery.scalable;

import java.util.Map;

/**
 * The layout of a scalable filter: how its slices follow from one another.
 *
 * @param firstSliceKeys how many keys the first slice takes, at least 1
 * @param growth how many times as many each further slice takes, from 2 to 16
 * @param tightening the rate of each slice after the first, in millionths of the one before, from
 *     500,000 to 990,000
 * @param mostSlices how many slices there may be, from 1 to {@value #MOST_SLICES}
 * @param mostBytes how many bytes their tables may have together, at least 8
 */
record ScalableLayout(
    long firstSliceKeys, long growth, long tightening, long mostSlices, long mostBytes) {

  /** Enough for 2^64 keys when each slice takes twice as many as the one before. */
  static final int MOST_SLICES = 64;

  /** What {@link #tightening} is counted in. */
  static final int MILLION = 1_000_000;

  private static final String FIRST_SLICE_KEYS = "first-slice-keys";
  private static final String GROWTH = "growth";
  private static final String TIGHTENING = "tightening-ppm";
  private static final String MOST_SLICES_NAME = "most-slices";
  private static final String MOST_BYTES = "most-bytes";

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  ScalableLayout {
    check("keys of the first slice", firstSliceKeys, 1, Long.MAX_VALUE);
    check("growth", growth, 2, 16);
    check("tightening in millionths", tightening, 500_000, 990_000);
    check("most slices", mostSlices, 1, MOST_SLICES);
    check("most bytes", mostBytes, Long.BYTES, Long.MAX_VALUE);
  }

  private static void check(String what, long value, long least, long most) {
    if (value < least || value > most) {
      String range = most == Long.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
      throw new IllegalArgumentException(what + " must be " + range + ", but was " + value);
    }
  }

  /** Returns all five numbers by name, as {@link io.bloomery.Filter#layout} gives them. */
  Map<String, Long> toMap() {
    return Map.of(
        FIRST_SLICE_KEYS, firstSliceKeys,
        GROWTH, growth,
        TIGHTENING, tightening,
        MOST_SLICES_NAME, mostSlices,
        MOST_BYTES, mostBytes);
  }

  /**
   * Makes a layout of five such numbers.
   *
   * @throws IllegalArgumentException if there are others, one is missing, or one is out of range
   */
  static ScalableLayout of(Map<String, Long> numbers) {
    ScalableLayout any = new ScalableLayout(1, 2, MILLION / 2, 1, Long.BYTES);
    if (!numbers.keySet().equals(any.toMap().keySet())) {
      throw new IllegalArgumentException(
          "layout must have "
              + any.toMap().keySet().stream().sorted().toList()
              + ", but has "
              + numbers.keySet().stream().sorted().toList());
    }
    return new ScalableLayout(
        numbers.get(FIRST_SLICE_KEYS),
        numbers.get(GROWTH),
        numbers.get(TIGHTENING),
        numbers.get(MOST_SLICES_NAME),
        numbers.get(MOST_BYTES));
  }
}
