package io.bloomery.hash;

import java.util.Objects;
import java.util.function.Function;

/** A hasher of objects by a key that a function extracts. */
record ExtractedHasher<T, K>(KeyHasher<K> inner, Function<? super T, ? extends K> function)
    implements KeyHasher<T> {

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public long hash(T holder) {
    K key = function.apply(Objects.requireNonNull(holder, "key must not be null"));
    if (key == null) {
      throw new MissingKey(holder).of(id());
    }
    return inner.hash(key);
  }

  @Override
  public KeyHasher<T> withSeed(long seed) {
    return inner.withSeed(seed).compose(function);
  }

  @Override
  public KeyHasher<T> secret(byte[] secret) {
    return inner.secret(secret).compose(function);
  }

  @Override
  public KeyForm keyForm() {
    return inner.keyForm();
  }

  @Override
  public KeyHasher<T> withForm(KeyForm form) {
    return inner.withForm(form).compose(function);
  }

  @Override
  public KeyHasher<T> readyIn(KeyForm form) {
    return inner.readyIn(form).compose(function);
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
