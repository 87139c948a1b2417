package io.bloomery.hash;

import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * A {@link KeyHasher} of longs that also accepts primitive longs.
 *
 * <p>Java 17 allocates a {@code Long} of 24 bytes for each call of {@code BloomFilter<Long>}, which
 * takes longer than a query of a small filter. Performance-critical loops call the hasher and the
 * {@link io.bloomery.filter.Filter} directly:
 *
 * <pre>{@code
 * LongKeyHasher ids = KeyHasher.longs();
 * Filter seen = keyed.filter();
 * boolean known = seen.mightContain(ids.hash(4711));
 * }</pre>
 *
 * <p>Methods added in later versions will have default implementations.
 */
public interface LongKeyHasher extends KeyHasher<Long> {

  /** Returns the hash of a key. */
  long hash(long key);

  @Override
  default long hash(Long key) {
    return hash(Objects.requireNonNull(key, "key must not be null").longValue());
  }

  /**
   * Returns a hasher of objects that have such a key as a primitive long or int, with the same id:
   * {@code composeLong(User::tenant)}. Its hashes are those of {@link #compose}, without the
   * allocation of a {@code Long} of 24 bytes per key.
   */
  default <T> KeyHasher<T> composeLong(ToLongFunction<? super T> key) {
    return new ExtractedLongHasher<>(
        this, Objects.requireNonNull(key, "function must not be null"));
  }

  @Override
  default LongKeyHasher withSeed(long seed) {
    return (LongKeyHasher) KeyHasher.super.withSeed(seed); // throws
  }

  @Override
  default LongKeyHasher secret(byte[] secret) {
    return (LongKeyHasher) KeyHasher.super.secret(secret); // throws
  }
}
