package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The front door: filters of keys, made by the providers that are installed.
 *
 * <pre>{@code
 * BloomFilter<String> seen = Bloomery.strings().expect(1_000_000).fpp(0.01).create();
 * seen.put("https://example.org/");            // true: certainly not there before
 * seen.mightContain("https://example.org/");   // true, always
 * seen.mightContain("https://example.com/");   // false: certainly absent (true for 1 in 100)
 * seen.save(Path.of("seen.bloom"));
 * BloomFilter<String> again = Bloomery.strings().open(Path.of("seen.bloom"));
 * }</pre>
 *
 * <p>The static methods find the providers that are installed, once for each class loader that
 * threads have, in a fraction of a millisecond. An instance is a fixed set of providers, which
 * plans filters too; {@link #files} is for files of any keys.
 */
public final class Bloomery {

  private final FilterProviders providers;

  private Bloomery(FilterProviders providers) {
    this.providers = providers;
  }

  /**
   * Finds the providers that are installed: by {@link java.util.ServiceLoader}, with the class
   * loader of this library and then with that of the current thread.
   *
   * @throws IllegalArgumentException if two of them provide the same variant
   * @throws java.util.ServiceConfigurationError if one of them cannot be loaded
   */
  public static Bloomery installed() {
    return new Bloomery(FilterProviders.installed());
  }

  /**
   * Takes these providers and no others.
   *
   * @throws IllegalArgumentException if two of them provide the same variant
   */
  public static Bloomery with(FilterProvider... providers) {
    return new Bloomery(FilterProviders.of(providers));
  }

  /** Starts a filter of text, hashed by {@link KeyHasher#strings()}. */
  public static FilterBuilder<String> strings() {
    return installed().keys(KeyHasher.strings());
  }

  /** Starts a filter of text in UTF-8, the same keys as strings: {@link KeyHasher#utf8Bytes()}. */
  public static FilterBuilder<byte[]> utf8Bytes() {
    return installed().keys(KeyHasher.utf8Bytes());
  }

  /** Starts a filter of byte arrays, equal by content, hashed by {@link KeyHasher#byteArrays()}. */
  public static FilterBuilder<byte[]> byteArrays() {
    return installed().keys(KeyHasher.byteArrays());
  }

  /** Starts a filter of the bytes that remain in buffers, as {@link KeyHasher#byteBuffers()}. */
  public static FilterBuilder<ByteBuffer> byteBuffers() {
    return installed().keys(KeyHasher.byteBuffers());
  }

  /** Starts a filter of longs, hashed by {@link KeyHasher#longs()}. */
  public static FilterBuilder<Long> longs() {
    return installed().keys(KeyHasher.longs());
  }

  /** Starts a filter of ints, hashed by {@link KeyHasher#ints()}. */
  public static FilterBuilder<Integer> ints() {
    return installed().keys(KeyHasher.ints());
  }

  /** Starts a filter of UUIDs, hashed by {@link KeyHasher#uuids()}. */
  public static FilterBuilder<UUID> uuids() {
    return installed().keys(KeyHasher.uuids());
  }

  /** Starts a filter of anything: {@code Bloomery.of(KeyHasher.strings().compose(User::email))}. */
  public static <K> FilterBuilder<K> of(KeyHasher<? super K> hasher) {
    return installed().keys(hasher);
  }

  /** Starts a filter of the keys that {@code hasher} takes, from these providers. */
  public <K> FilterBuilder<K> keys(KeyHasher<? super K> hasher) {
    return new FilterBuilder<>(providers, hasher);
  }

  /** Returns the providers of filters that this makes and opens filters by. */
  public FilterProviders providers() {
    return providers;
  }

  /** Returns what opens, merges and verifies files of any keys by these providers. */
  public FilterFiles files() {
    return new FilterFiles(providers);
  }
}
