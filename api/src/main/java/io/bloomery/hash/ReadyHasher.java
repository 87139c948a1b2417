package io.bloomery.hash;

/** A hasher of keys to which a form has already been applied. */
record ReadyHasher<K>(KeyHasher<K> inner, KeyForm keyForm) implements KeyHasher<K> {

  @Override
  public String id() {
    return inner.id();
  }

  @Override
  public long hash(K key) {
    return inner.hash(key);
  }

  @Override
  public KeyHasher<K> withSeed(long seed) {
    return inner.withSeed(seed).readyIn(keyForm);
  }

  @Override
  public KeyHasher<K> secret(byte[] secret) {
    return inner.secret(secret).readyIn(keyForm);
  }

  @Override
  public String toString() {
    return inner + " of keys ready in " + keyForm;
  }
}
