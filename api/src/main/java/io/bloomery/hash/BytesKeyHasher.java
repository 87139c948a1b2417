package io.bloomery.hash;

import java.util.Objects;

/**
 * A {@link KeyHasher} of bytes that also takes them where they lie: within an array, or in pieces.
 *
 * <p>A key that stands in a buffer needs no array of its own. Loops that matter hash by themselves
 * and use the {@link io.bloomery.filter.Filter}:
 *
 * <pre>{@code
 * BytesKeyHasher lines = KeyHasher.utf8Bytes();
 * Filter seen = keyed.filter();
 * boolean known = seen.mightContain(lines.hash(buffer, 100, 123));
 * }</pre>
 *
 * <p>Methods that are added later will have defaults.
 */
public interface BytesKeyHasher extends KeyHasher<byte[]> {

  /**
   * Returns the hash of the bytes of an array from {@code from} to {@code to - 1}: that of an array
   * that has these alone.
   *
   * @throws IndexOutOfBoundsException if {@code from} is negative or greater than {@code to}, or
   *     {@code to} greater than the array's length
   */
  long hash(byte[] bytes, int from, int to);

  /**
   * Returns the hash of a key that comes in pieces, however it was cut: that of an array that has
   * all their bytes, of which there may be more than an array can have.
   *
   * @throws NullPointerException if a piece is null
   */
  long hashPieces(Iterable<byte[]> pieces);

  @Override
  default long hash(byte[] key) {
    return hash(Objects.requireNonNull(key, "key must not be null"), 0, key.length);
  }

  @Override
  default BytesKeyHasher withSeed(long seed) {
    return (BytesKeyHasher) KeyHasher.super.withSeed(seed); // which refuses
  }

  @Override
  default BytesKeyHasher secret(byte[] secret) {
    return (BytesKeyHasher) KeyHasher.super.secret(secret); // which refuses
  }
}
