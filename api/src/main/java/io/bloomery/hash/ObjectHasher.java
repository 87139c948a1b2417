package io.bloomery.hash;

import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * A hasher of objects by a function that returns their hash directly.
 *
 * @param bytes the same hash function, for encoded bytes
 */
record ObjectHasher<K>(
    String id, Encoding<K> encoding, HashFunction bytes, ToLongFunction<? super K> function)
    implements WrittenHasher<K> {

  @Override
  public long hash(K key) {
    return function.applyAsLong(Objects.requireNonNull(key, "key must not be null"));
  }

  @Override
  public long hashWritten(byte[] written, int length) {
    return bytes.hash(written, length);
  }

  @Override
  public String toString() {
    return id;
  }
}
