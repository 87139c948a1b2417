package io.bloomery.hash;

import java.util.Objects;
import java.util.function.ToLongFunction;

/** A hasher of objects by a primitive long that a function extracts. */
record ExtractedLongHasher<T>(LongKeyHasher inner, ToLongFunction<? super T> function)
    implements KeyHasher<T> {

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public long hash(T holder) {
    return inner.hash(function.applyAsLong(Objects.requireNonNull(holder, "key must not be null")));
  }

  @Override
  public KeyHasher<T> withSeed(long seed) {
    return inner.withSeed(seed).composeLong(function);
  }

  @Override
  public KeyHasher<T> secret(byte[] secret) {
    return inner.secret(secret).composeLong(function);
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
