package io.bloomery;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The request for a filter: how many keys, which false-positive rate, by which hash function, and
 * what its creator wants to remember with it. It is stored in the filter's file.
 *
 * @param expectedKeys how many different keys the rate is promised for, at least 1
 * @param falsePositiveRate the promised rate at that number of keys, between 0 and 1, exclusive,
 *     and not below {@link #lowestRate}
 * @param hashId the {@link KeyHasher#id() id} of the hasher whose hashes are put, 1 to 255
 *     printable ASCII characters, or {@link #RAW}
 * @param attributes short texts by name: at most 16, names of 1 to 32 printable ASCII characters,
 *     texts of any Unicode characters but control characters, with at most 1024 bytes of names and
 *     UTF-8 texts together. Names that begin with {@code bloomery.} are Bloomery's own.
 */
public record FilterSpec(
    long expectedKeys,
    double falsePositiveRate,
    String hashId,
    SortedMap<String, String> attributes) {

  /** The hash id of filters whose users bring uniform 64-bit hashes of their own. */
  public static final String RAW = "raw";

  private static final int MAX_ID_LENGTH = 255;

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
    // Exact, where the product of lowestRate would be rounded: p is scaled by a power of two.
    if ((long) (falsePositiveRate * 0x1p63) < expectedKeys) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + lowestRate(expectedKeys)
              + " for "
              + expectedKeys
              + " keys, since 64-bit hashes of different keys are sometimes equal, but was "
              + falsePositiveRate);
    }
    Objects.requireNonNull(hashId, "hashId");
    if (!isName(hashId, MAX_ID_LENGTH)) {
      throw new IllegalArgumentException(
          "hash id must be 1 to 255 printable ASCII characters, but was '" + hashId + "'");
    }
    attributes = Attributes.checked(attributes);
  }

  /** Makes a spec without attributes. */
  public FilterSpec(long expectedKeys, double falsePositiveRate, String hashId) {
    this(expectedKeys, falsePositiveRate, hashId, new TreeMap<>());
  }

  /** Makes a spec for hashes that the caller brings: its hash id is {@link #RAW}. */
  public FilterSpec(long expectedKeys, double falsePositiveRate) {
    this(expectedKeys, falsePositiveRate, RAW);
  }

  /**
   * Returns the same spec with other attributes.
   *
   * @throws IllegalArgumentException if one of them is not allowed
   */
  public FilterSpec withAttributes(Map<String, String> attributes) {
    return new FilterSpec(expectedKeys, falsePositiveRate, hashId, new TreeMap<>(attributes));
  }

  /** Returns how keys were written before they became bytes, or {@code "plain"}: as they are. */
  String keyForm() {
    return attributes.getOrDefault(Attributes.KEY_FORM, "plain");
  }

  /**
   * Returns the lowest rate that can be promised for so many keys: two in 2^64 for each. A 64-bit
   * hash equals one of n others with probability n/2^64, whatever the filter; no more than half of
   * the rate may be spent on that.
   */
  public static double lowestRate(long expectedKeys) {
    double rate = expectedKeys * 0x1p-63;
    return (long) (rate * 0x1p63) < expectedKeys ? Math.nextUp(rate) : rate;
  }

  static void checkRate(double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(
          "rate must be between 0 and 1 (exclusive), but was "
              + rate
              + (rate >= 1 && rate < 100 ? "; for " + rate + " % write " + rate / 100 : ""));
    }
  }

  @Override
  public String toString() {
    return expectedKeys
        + " keys at a rate of "
        + falsePositiveRate
        + ", hashed by "
        + hashId
        + (attributes.isEmpty() ? "" : ", with " + attributes);
  }

  static boolean isName(String name, int maxLength) {
    return !name.isEmpty()
        && name.length() <= maxLength
        && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
