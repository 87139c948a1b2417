package io.bloomery.hash;

import java.util.Objects;

/** A hasher of text or bytes that applies a form to each key. */
record FormedHasher<K>(WrittenHasher<K> plain, KeyForm keyForm) implements KeyHasher<K> {
  // decisions.md#a-key-form-belongs-to-the-hasher-and-not-to-the-hash-id

  @Override
  public String id() {
    return plain.id();
  }

  @Override
  public long hash(K key) {
    KeyBytes written = new KeyBytes();
    plain.encoding().writer().write(Objects.requireNonNull(key, "key must not be null"), written);
    byte[] bytes = new byte[keyForm.maxLength(written.size())];
    int length = keyForm.apply(written.array(), 0, written.size(), bytes, 0);
    return plain.hashWritten(bytes, length);
  }

  @Override
  public KeyHasher<K> withSeed(long seed) {
    return plain.withSeed(seed).withForm(keyForm);
  }

  @Override
  public KeyHasher<K> secret(byte[] secret) {
    return plain.secret(secret).withForm(keyForm);
  }

  @Override
  public String toString() {
    return plain + " of keys written as " + keyForm;
  }
}
