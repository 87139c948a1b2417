package io.bloomery.hash;

import java.util.Objects;

/**
 * A {@link KeyHasher} of bytes that also accepts a range of an array, or a sequence of arrays.
 *
 * <p>A key within a larger array need not be copied. Performance-critical loops call the hasher and
 * the {@link io.bloomery.filter.Filter} directly:
 *
 * <pre>{@code
 * BytesKeyHasher lines = KeyHasher.utf8Bytes();
 * Filter seen = keyed.filter();
 * boolean known = seen.mightContain(lines.hash(buffer, 100, 123));
 * }</pre>
 *
 * <p>Methods added in later versions will have default implementations.
 */
public interface BytesKeyHasher extends KeyHasher<byte[]> {

  /**
   * Returns the hash of the bytes of an array from {@code from} to {@code to - 1}, which is that of
   * an array of exactly these bytes.
   *
   * @throws IndexOutOfBoundsException if {@code from} is negative or greater than {@code to}, or
   *     {@code to} greater than the array's length
   */
  long hash(byte[] bytes, int from, int to);

  /**
   * Returns the hash of the concatenation of all pieces, wherever the key was split; the total
   * length may exceed that of the longest array.
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
    return (BytesKeyHasher) KeyHasher.super.withSeed(seed); // throws
  }

  @Override
  default BytesKeyHasher secret(byte[] secret) {
    return (BytesKeyHasher) KeyHasher.super.secret(secret); // throws
  }
}
