package io.bloomery;

import java.util.Objects;

/**
 * What is asked of a filter: how many keys, which false-positive rate, and whose hashes.
 *
 * @param expectedKeys how many different keys the rate is promised for, at least 1
 * @param falsePositiveRate the promised rate at that number of keys, between 0 and 1, exclusive,
 *     and not below {@link #lowestRate}
 * @param hashId the {@link KeyHasher#id() id} of the hasher whose hashes are put, 1 to 255
 *     printable ASCII characters, or {@link #RAW}
 */
public record FilterSpec(long expectedKeys, double falsePositiveRate, String hashId) {

  /** The hash id of filters whose users bring uniform 64-bit hashes of their own. */
  public static final String RAW = "raw";

  private static final int LONGEST_ID = 255;

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public FilterSpec {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException(
          "expected keys must be at least 1, but was " + expectedKeys);
    }
    checkRate(falsePositiveRate);
    if (falsePositiveRate < lowestRate(expectedKeys)) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + lowestRate(expectedKeys)
              + " for "
              + expectedKeys
              + " keys, since 64-bit hashes of different keys are sometimes equal, but was "
              + falsePositiveRate);
    }
    Objects.requireNonNull(hashId, "hashId");
    if (!isName(hashId, LONGEST_ID)) {
      throw new IllegalArgumentException(
          "hash id must be 1 to 255 printable ASCII characters, but was '" + hashId + "'");
    }
  }

  /** Makes a spec for hashes that the caller brings: its hash id is {@link #RAW}. */
  public FilterSpec(long expectedKeys, double falsePositiveRate) {
    this(expectedKeys, falsePositiveRate, RAW);
  }

  /**
   * Returns the lowest rate that can be promised for so many keys: two in 2^64 for each. A 64-bit
   * hash equals one of n others with probability n/2^64, whatever the filter; no more than half of
   * the rate may be spent on that.
   */
  public static double lowestRate(long expectedKeys) {
    return expectedKeys * 0x1p-63;
  }

  static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "rate must be between 0 and 1 (exclusive), but was "
              + rate
              + (rate >= 1 && rate < 100 ? "; for " + rate + " % write " + rate / 100 : ""));
    }
  }

  static boolean isName(String name, int longest) {
    return !name.isEmpty()
        && name.length() <= longest
        && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
