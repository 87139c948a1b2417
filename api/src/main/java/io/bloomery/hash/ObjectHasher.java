package io.bloomery.hash;

import java.util.function.ToLongFunction;

/** A hasher of objects by a function that leads from them straight to hashes. */
record ObjectHasher<K>(String id, Encoding<K> encoding, ToLongFunction<? super K> function)
    implements EncodedHasher<K> {

  @Override
  public long hash(K key) {
    return function.applyAsLong(key);
  }

  @Override
  public String toString() {
    return id;
  }
}
