package io.bloomery.hash;

import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * A {@link KeyHasher} that also takes plain longs.
 *
 * <p>Java 17 makes a {@code Long} of 24 bytes for each call of {@code BloomFilter<Long>}, which
 * takes longer than asking a small filter. Loops that matter hash by themselves and use the {@link
 * io.bloomery.filter.Filter}:
 *
 * <pre>{@code
 * LongKeyHasher ids = KeyHasher.longs();
 * Filter seen = keyed.filter();
 * boolean known = seen.mightContain(ids.hash(4711));
 * }</pre>
 *
 * <p>Methods that are added later will have defaults.
 */
public interface LongKeyHasher extends KeyHasher<Long> {

  /** Returns the hash of a key. */
  long hash(long key);

  @Override
  default long hash(Long key) {
    return hash(Objects.requireNonNull(key, "key must not be null").longValue());
  }

  /**
   * Returns a hasher for objects that hold such a key as a plain long or int, with the same id:
   * {@code composeLong(User::tenant)}. It hashes as {@link #compose} does, and makes no {@code
   * Long} of 24 bytes for each key.
   */
  default <T> KeyHasher<T> composeLong(ToLongFunction<? super T> key) {
    return new ExtractedLongHasher<>(
        this, Objects.requireNonNull(key, "function must not be null"));
  }

  @Override
  default LongKeyHasher withSeed(long seed) {
    return (LongKeyHasher) KeyHasher.super.withSeed(seed); // which refuses
  }

  @Override
  default LongKeyHasher secret(byte[] secret) {
    return (LongKeyHasher) KeyHasher.super.secret(secret); // which refuses
  }
}
