package io.bloomery.spark;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterSpec;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What filter Spark is to build: for how many keys, at which rate, of which variant.
 *
 * <p>Requests do not change: each method returns a new one.
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation: whoever lacks it is not told, and needs nothing
public final class FilterRequest {

  private static final long COUNTED = 0;

  private final long expectedKeys;
  private final double fpp;
  private final String variant;
  private final TreeMap<String, String> attributes;
  private final @Nullable KeyType keys; // null for that of the column
  private final byte @Nullable [] secret; // reaches executors in a SparkKeyHash alone

  private FilterRequest(
      long expectedKeys,
      double fpp,
      String variant,
      SortedMap<String, String> attributes,
      @Nullable KeyType keys,
      byte @Nullable [] secret) {
    this.expectedKeys = expectedKeys;
    this.fpp = fpp;
    this.variant = variant;
    this.attributes = new TreeMap<>(attributes);
    this.keys = keys;
    this.secret = secret;
  }

  /** Asks for a filter of so many different keys. */
  public static FilterRequest expect(long keys) {
    FilterSpec.of(keys, 0.99);
    return new FilterRequest(
        keys,
        FilterBuilder.DEFAULT_FPP,
        FilterBuilder.DEFAULT_VARIANT,
        new TreeMap<>(),
        null,
        null);
  }

  /**
   * Asks for a filter of as many keys as there are: their number is estimated first, by {@code
   * approx_count_distinct} with a relative deviation of 1 %, and three of these are added. The data
   * is read twice.
   */
  public static FilterRequest ofAllKeys() {
    return new FilterRequest(
        COUNTED,
        FilterBuilder.DEFAULT_FPP,
        FilterBuilder.DEFAULT_VARIANT,
        new TreeMap<>(),
        null,
        null);
  }

  /** Sets the false-positive rate; {@value FilterBuilder#DEFAULT_FPP} if not said. */
  public FilterRequest fpp(double rate) {
    FilterSpec.of(1, rate);
    return new FilterRequest(expectedKeys, rate, variant, attributes, keys, secret);
  }

  /** Sets the variant, which must be one that merges; {@code standard} if not said. */
  public FilterRequest variant(String name) {
    return new FilterRequest(expectedKeys, fpp, name, attributes, keys, secret);
  }

  /** Adds a text that is kept with the filter, as {@link FilterBuilder#attribute} does. */
  public FilterRequest attribute(String name, String text) {
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(name, text);
    return new FilterRequest(expectedKeys, fpp, variant, more, keys, secret);
  }

  /** Sets how values become keys: needed for RDDs, and for strings that are UUIDs. */
  public FilterRequest keys(KeyType type) {
    return new FilterRequest(expectedKeys, fpp, variant, attributes, type, secret);
  }

  /**
   * Hashes keys with a secret, as {@link FilterBuilder#secret} does. It reaches executors within
   * the tasks, which Spark sends as broadcast blocks: it stands in no plan, no page of the user
   * interface and no event log, and travels and lies on disk as well protected as data does, by
   * {@code spark.network.crypto.enabled} and {@code spark.io.encryption.enabled}. Functions of SQL
   * take no secret.
   *
   * @param secret 16 to 4,096 random bytes
   */
  public FilterRequest secret(byte[] secret) {
    return new FilterRequest(expectedKeys, fpp, variant, attributes, keys, secret.clone());
  }

  boolean isCounted() {
    return expectedKeys == COUNTED;
  }

  boolean hasSecret() {
    return secret != null;
  }

  FilterRequest counted(long keys) {
    return new FilterRequest(keys, fpp, variant, attributes, this.keys, secret);
  }

  @Nullable KeyType keys() {
    return keys;
  }

  SparkKeyHash hash(KeyType type) {
    return new SparkKeyHash(type, secret);
  }

  BuildPlan plan(SparkKeyHash hash) {
    return new BuildPlan(
        variant, FilterSpec.of(expectedKeys, fpp, hash.id()).withAttributes(attributes));
  }

  @Override
  public String toString() {
    return variant
        + " for "
        + (isCounted() ? "all" : Long.toString(expectedKeys))
        + " keys at a rate of "
        + fpp
        + (keys == null ? "" : ", of type " + keys)
        + (secret == null ? "" : ", with a secret");
  }
}
