package io.bloomery.hash;

import java.util.Objects;
import java.util.function.Function;

/** A hasher of objects by a key that they hold. */
record ExtractedHasher<T, K>(KeyHasher<K> inner, Function<? super T, ? extends K> function)
    implements KeyHasher<T> {

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public long hash(T holder) {
    K key = function.apply(Objects.requireNonNull(holder, "key"));
    if (key == null) {
      throw new MissingKey(holder).of(id());
    }
    return inner.hash(key);
  }

  @Override
  public KeyHasher<T> secret(byte[] secret) {
    return inner.secret(secret).of(function);
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
