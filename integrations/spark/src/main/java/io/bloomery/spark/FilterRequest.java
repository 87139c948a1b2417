package io.bloomery.spark;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.filter.FilterSpec;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a filter for Spark to build: number of keys, rate, variant.
 *
 * <p>Requests are immutable: each method returns a new one.
 */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class FilterRequest {

  private static final long COUNTED = 0;

  private final long expectedKeys;
  private final double fpp;
  private final String variant;
  private final TreeMap<String, String> attributes;
  private final @Nullable KeyType keys; // null to use that of the column
  private final byte @Nullable [] secret; // sent to executors only within a SparkKeyHash
  private final boolean keepsOverfull;

  private FilterRequest(
      long expectedKeys,
      double fpp,
      String variant,
      SortedMap<String, String> attributes,
      @Nullable KeyType keys,
      byte @Nullable [] secret,
      boolean keepsOverfull) {
    this.expectedKeys = expectedKeys;
    this.fpp = fpp;
    this.variant = variant;
    this.attributes = new TreeMap<>(attributes);
    this.keys = keys;
    this.secret = secret;
    this.keepsOverfull = keepsOverfull;
  }

  /** Requests a filter with an expected number of distinct keys. */
  public static FilterRequest expect(long keys) {
    FilterSpec.of(keys, 0.99);
    return new FilterRequest(
        keys,
        FilterBuilder.DEFAULT_FPP,
        FilterBuilder.DEFAULT_VARIANT,
        new TreeMap<>(),
        null,
        null,
        false);
  }

  /**
   * Requests a filter of all keys of the source: their number is estimated first, by {@code
   * approx_count_distinct} with a relative standard deviation of 1 %, and increased by three of
   * these. The data is read twice.
   */
  public static FilterRequest ofAllKeys() {
    return new FilterRequest(
        COUNTED,
        FilterBuilder.DEFAULT_FPP,
        FilterBuilder.DEFAULT_VARIANT,
        new TreeMap<>(),
        null,
        null,
        false);
  }

  /** Sets the false-positive rate; the default is {@value FilterBuilder#DEFAULT_FPP}. */
  public FilterRequest fpp(double rate) {
    FilterSpec.of(1, rate);
    return new FilterRequest(expectedKeys, rate, variant, attributes, keys, secret, keepsOverfull);
  }

  /** Sets the variant, which must support merging; the default is {@code standard}. */
  public FilterRequest variant(String name) {
    return new FilterRequest(expectedKeys, fpp, name, attributes, keys, secret, keepsOverfull);
  }

  /** Adds a text that is stored with the filter, as {@link FilterBuilder#attribute} does. */
  public FilterRequest attribute(String name, String text) {
    SortedMap<String, String> more = new TreeMap<>(attributes);
    more.put(name, text);
    return new FilterRequest(expectedKeys, fpp, variant, more, keys, secret, keepsOverfull);
  }

  /** Sets how values become keys: required for RDDs, and for strings that are UUIDs. */
  public FilterRequest keys(KeyType type) {
    return new FilterRequest(expectedKeys, fpp, variant, attributes, type, secret, keepsOverfull);
  }

  /**
   * Hashes keys with a secret, as {@link Filters#secret} does. It reaches executors within the
   * tasks, which Spark sends as broadcast blocks: it does not appear in plans, pages of the user
   * interface or event logs, and is protected in transit and on disk as data is, by {@code
   * spark.network.crypto.enabled} and {@code spark.io.encryption.enabled}. SQL functions do not
   * support a secret.
   *
   * @param secret 16 to 4,096 random bytes
   */
  public FilterRequest secret(byte[] secret) {
    return new FilterRequest(
        expectedKeys, fpp, variant, attributes, keys, secret.clone(), keepsOverfull);
  }

  /**
   * Lets {@link BloomerySpark#aggregator} return files of filters that have more distinct keys than
   * expected, and so a higher rate, instead of failing; {@link BuiltFilter#warning} tells of them
   * in any case.
   */
  public FilterRequest keepOverfull() {
    return new FilterRequest(expectedKeys, fpp, variant, attributes, keys, secret, true);
  }

  boolean keepsOverfull() {
    return keepsOverfull;
  }

  boolean isCounted() {
    return expectedKeys == COUNTED;
  }

  boolean hasSecret() {
    return secret != null;
  }

  FilterRequest counted(long keys) {
    return new FilterRequest(keys, fpp, variant, attributes, this.keys, secret, keepsOverfull);
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
