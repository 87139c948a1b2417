package io.bloomery.filter;

import io.bloomery.internal.Attributes;
import io.bloomery.internal.Names;
import io.bloomery.internal.Sizing;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The request for a filter: how many keys, which false-positive rate, by which hash function, and
 * what its creator wants to remember with it. It is stored in the filter's file.
 */
public final class FilterSpec {

  /** The hash id of filters whose users bring uniform 64-bit hashes of their own. */
  public static final String RAW = "raw";

  private static final int MAX_ID_LENGTH = 255;

  private final long expectedKeys;
  private final double falsePositiveRate;
  private final String hashId;
  private final SortedMap<String, String> attributes;

  private FilterSpec(
      long expectedKeys,
      double falsePositiveRate,
      String hashId,
      SortedMap<String, String> attributes) {
    this.expectedKeys = expectedKeys;
    this.falsePositiveRate = falsePositiveRate;
    this.hashId = hashId;
    this.attributes = attributes;
  }

  /**
   * Makes a spec for hashes that the caller brings: its hash id is {@link #RAW}.
   *
   * @throws IllegalArgumentException as for {@link #of(long, double, String)}
   */
  public static FilterSpec of(long expectedKeys, double falsePositiveRate) {
    return of(expectedKeys, falsePositiveRate, RAW);
  }

  /**
   * Makes a spec without attributes.
   *
   * @param expectedKeys how many different keys the rate is promised for, at least 1
   * @param falsePositiveRate the promised rate at that number of keys, between 0 and 1, exclusive,
   *     and not below {@link #lowestRate}
   * @param hashId the {@link io.bloomery.hash.KeyHasher#id() id} of the hasher whose hashes are
   *     put, 1 to 255 printable ASCII characters, or {@link #RAW}
   * @throws IllegalArgumentException if one of them is out of range
   */
  public static FilterSpec of(long expectedKeys, double falsePositiveRate, String hashId) {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException(
          "expected keys must be at least 1, but was " + expectedKeys);
    }
    Sizing.checkRate(falsePositiveRate);
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
    if (!Names.isName(hashId, MAX_ID_LENGTH)) {
      throw new IllegalArgumentException(
          "hash id must be 1 to 255 printable ASCII characters, but was '" + hashId + "'");
    }
    return new FilterSpec(expectedKeys, falsePositiveRate, hashId, Collections.emptySortedMap());
  }

  /**
   * Returns the same spec with other attributes, short texts by name.
   *
   * @param attributes at most 16, names of 1 to 32 printable ASCII characters, texts of any Unicode
   *     characters but control characters, with at most 1024 bytes of names and UTF-8 texts
   *     together. Names that begin with {@code bloomery.} are Bloomery's own.
   * @throws IllegalArgumentException if one of them is not allowed
   */
  public FilterSpec withAttributes(Map<String, String> attributes) {
    return new FilterSpec(expectedKeys, falsePositiveRate, hashId, Attributes.checked(attributes));
  }

  /** Returns how many different keys the rate is promised for. */
  public long expectedKeys() {
    return expectedKeys;
  }

  /** Returns the rate that is promised at that number of keys. */
  public double falsePositiveRate() {
    return falsePositiveRate;
  }

  /** Returns the id of the hasher whose hashes are put, or {@link #RAW}. */
  public String hashId() {
    return hashId;
  }

  /** Returns the attributes in ascending order of their names. */
  public SortedMap<String, String> attributes() {
    return attributes;
  }

  /** Returns how keys were written before they became bytes, or {@code "plain"}: as they are. */
  public String keyForm() {
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

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterSpec spec
        && spec.expectedKeys == expectedKeys
        && Double.compare(spec.falsePositiveRate, falsePositiveRate) == 0
        && spec.hashId.equals(hashId)
        && spec.attributes.equals(attributes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(expectedKeys) + Double.hashCode(falsePositiveRate))
        + 31 * hashId.hashCode()
        + attributes.hashCode();
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
}
