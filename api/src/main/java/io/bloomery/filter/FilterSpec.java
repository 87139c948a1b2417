package io.bloomery.filter;

import io.bloomery.internal.Attributes;
import io.bloomery.internal.Names;
import io.bloomery.internal.Sizing;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The specification of a filter: the expected number of keys, the false-positive probability, the
 * id of the hash function, and attributes. It is stored in the filter's file.
 */
public final class FilterSpec {

  /** The hash id of filters whose users supply uniform 64-bit hashes of their own. */
  public static final String RAW = "raw";

  /**
   * The attribute that asks for filters which fold, with the text {@code true}: tables get up to
   * 0.5 % more bits than they need, so that a large power of two divides their places.
   */
  public static final String FOLDABLE = "bloomery.foldable";

  /** The name of the attribute that marks an {@linkplain #isIntersection intersection}. */
  public static final String INTERSECTION = Attributes.INTERSECTION;

  private static final int MAX_ID_LENGTH = 255;

  /** The length of a hash id, and of all attributes, in {@code toString}. */
  private static final int MAX_TEXT = 60;

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
   * Returns a spec for hashes supplied by the caller, with hash id {@link #RAW}.
   *
   * @throws IllegalArgumentException as for {@link #of(long, double, String)}
   */
  public static FilterSpec of(long expectedKeys, double falsePositiveRate) {
    return of(expectedKeys, falsePositiveRate, RAW);
  }

  /**
   * Returns a spec without attributes.
   *
   * @param expectedKeys the number of distinct keys up to which the rate is guaranteed, at least 1
   * @param falsePositiveRate the guaranteed false-positive probability at that number of keys,
   *     between 0 and 1, exclusive, and not below {@link #lowestRate}
   * @param hashId the {@link io.bloomery.hash.KeyHasher#id() id} of the hasher whose hashes are
   *     put, 1 to 255 printable ASCII characters, or {@link #RAW}
   * @throws IllegalArgumentException if an argument is out of range
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
              + falsePositiveRate
              + "; for a lower one ask two filters, whose hashers have different seeds"
              + " (KeyHasher.withSeed), for each key: the rate of both is the product of theirs");
    }
    Objects.requireNonNull(hashId, "hashId");
    if (!Names.isName(hashId, MAX_ID_LENGTH)) {
      throw new IllegalArgumentException(
          "hash id must be 1 to 255 printable ASCII characters, but was '" + hashId + "'");
    }
    return new FilterSpec(expectedKeys, falsePositiveRate, hashId, Collections.emptySortedMap());
  }

  /**
   * Returns a copy of this spec with the given attributes, short texts by name, in place of its
   * own.
   *
   * @param attributes at most 16, names of 1 to 32 printable ASCII characters, texts of any Unicode
   *     characters but control characters, with at most 1024 bytes of names and UTF-8 texts
   *     together. Names that begin with {@code bloomery.} are reserved for Bloomery.
   * @throws IllegalArgumentException if an attribute is not allowed
   */
  public FilterSpec withAttributes(Map<String, String> attributes) {
    return new FilterSpec(expectedKeys, falsePositiveRate, hashId, Attributes.checked(attributes));
  }

  /** Returns the number of distinct keys up to which the rate is guaranteed. */
  public long expectedKeys() {
    return expectedKeys;
  }

  /** Returns the guaranteed false-positive probability at that number of keys. */
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

  /**
   * Returns the form of the keys, as recorded in the attributes; {@code "plain"} if none is
   * recorded.
   */
  public String keyForm() {
    return attributes.getOrDefault(Attributes.KEY_FORM, "plain");
  }

  /** Returns whether filters that {@linkplain #FOLDABLE fold} are asked for. */
  public boolean isFoldable() {
    return "true".equals(attributes.get(FOLDABLE));
  }

  /**
   * Returns whether the filter is an {@linkplain MergeableFilter#intersection intersection} of
   * others, as recorded in the attributes. Its bits do not tell the number of its keys, and a key
   * that only one of the others contains is found at the rate of those that do not contain it.
   */
  public boolean isIntersection() {
    return attributes.containsKey(Attributes.INTERSECTION);
  }

  /**
   * Returns the spec of the intersection of a filter of this spec with one of {@code other}: it
   * {@linkplain #isIntersection is marked}, and has the attributes that both have, and the expected
   * keys and the rate of the one that expects fewer keys. For keys that neither contains, it keeps
   * that rate as long as that filter does.
   *
   * @throws IllegalArgumentException if the hash ids differ, or there is no room for the mark among
   *     the attributes
   */
  public FilterSpec intersection(FilterSpec other) {
    if (!hashId.equals(other.hashId)) {
      throw new IllegalArgumentException(
          "hash id must be equal, but is " + hashId + " here and " + other.hashId + " there");
    }
    Map<String, String> common = new HashMap<>(attributes);
    common.entrySet().retainAll(other.attributes.entrySet());
    common.put(Attributes.INTERSECTION, "true");
    boolean isOfThis =
        expectedKeys == other.expectedKeys
            ? falsePositiveRate <= other.falsePositiveRate
            : expectedKeys < other.expectedKeys;
    return (isOfThis ? this : other).withAttributes(common);
  }

  /**
   * Returns the lowest false-positive probability that can be guaranteed for a number of keys:
   * 2/2^64 per key. A 64-bit hash equals one of n others with probability n/2^64 in any filter, and
   * at most half of the rate may be due to such collisions.
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

  /** Returns all parts in at most 220 characters: a long hash id and long attributes are cut. */
  @Override
  public String toString() {
    return expectedKeys
        + " keys at a rate of "
        + falsePositiveRate
        + ", hashed by "
        + start(hashId)
        + (attributes.isEmpty() ? "" : ", with " + start(attributes.toString()));
  }

  private static String start(String text) {
    if (text.length() <= MAX_TEXT) {
      return text;
    }
    boolean cutsPair = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1));
    return text.substring(0, cutsPair ? MAX_TEXT - 1 : MAX_TEXT) + "...";
  }
}
