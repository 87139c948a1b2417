package io.bloomery;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import io.bloomery.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The entry point of the library: static factories of Bloom filters, built by the installed
 * {@linkplain FilterProvider providers}.
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
 * <p>The static methods look up the installed providers once per context class loader, in a
 * fraction of a millisecond. An instance is a fixed set of providers; {@link #files} opens, merges
 * and verifies files of filters of any key type.
 */
public final class Bloomery {

  private final FilterProviders providers;

  private Bloomery(FilterProviders providers) {
    this.providers = providers;
  }

  /**
   * Returns an instance with the installed providers, located by {@link java.util.ServiceLoader}
   * with the class loader of this library and then with the context class loader of the current
   * thread.
   *
   * @throws IllegalArgumentException if two providers have the same variant
   * @throws java.util.ServiceConfigurationError if a provider cannot be loaded
   */
  public static Bloomery installed() {
    return new Bloomery(FilterProviders.installed());
  }

  /**
   * Returns an instance with exactly the given providers.
   *
   * @throws IllegalArgumentException if two providers have the same variant
   */
  public static Bloomery with(VariantProvider... providers) {
    return new Bloomery(FilterProviders.of(providers));
  }

  /** Returns filters of text, hashed by {@link KeyHasher#strings()}. */
  public static Filters<String> strings() {
    return installed().keys(KeyHasher.strings());
  }

  /**
   * Returns filters of text encoded in UTF-8, which has the same hashes as the equal string: {@link
   * KeyHasher#utf8Bytes()}.
   */
  public static Filters<byte[]> utf8Bytes() {
    return installed().keys(KeyHasher.utf8Bytes());
  }

  /**
   * Returns filters of byte arrays, compared by content and hashed by {@link
   * KeyHasher#byteArrays()}.
   */
  public static Filters<byte[]> byteArrays() {
    return installed().keys(KeyHasher.byteArrays());
  }

  /**
   * Returns filters of the remaining bytes of buffers, hashed by {@link KeyHasher#byteBuffers()}.
   */
  public static Filters<ByteBuffer> byteBuffers() {
    return installed().keys(KeyHasher.byteBuffers());
  }

  /** Returns filters of longs, hashed by {@link KeyHasher#longs()}. */
  public static Filters<Long> longs() {
    return installed().keys(KeyHasher.longs());
  }

  /** Returns filters of ints, hashed by {@link KeyHasher#ints()}. */
  public static Filters<Integer> ints() {
    return installed().keys(KeyHasher.ints());
  }

  /** Returns filters of UUIDs, hashed by {@link KeyHasher#uuids()}. */
  public static Filters<UUID> uuids() {
    return installed().keys(KeyHasher.uuids());
  }

  /**
   * Returns filters of any type of key, for example {@code
   * Bloomery.of(KeyHasher.strings().compose(User::email))}.
   */
  public static <K> Filters<K> of(KeyHasher<? super K> hasher) {
    return installed().keys(hasher);
  }

  /** Returns filters of the keys that {@code hasher} hashes, of these providers. */
  public <K> Filters<K> keys(KeyHasher<? super K> hasher) {
    return Filters.of(providers, hasher);
  }

  /** Returns the providers that build and open the filters. */
  public FilterProviders providers() {
    return providers;
  }

  /**
   * Returns an object that opens, merges and verifies files of filters of any key type, using these
   * providers.
   */
  public FilterFiles files() {
    return new FilterFiles(providers);
  }
}
