package io.bloomery.hash;

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
 */
public interface LongKeyHasher extends KeyHasher<Long> {

  /** Returns the hash of a key. */
  long hash(long key);

  @Override
  default long hash(Long key) {
    return hash(key.longValue());
  }

  @Override
  default LongKeyHasher secret(byte[] secret) {
    return (LongKeyHasher) KeyHasher.super.secret(secret); // which refuses
  }
}
