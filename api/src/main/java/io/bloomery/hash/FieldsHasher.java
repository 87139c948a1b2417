package io.bloomery.hash;

import java.util.Objects;

/** A hasher of keys of several fields, whose bytes are concatenated and hashed as a whole. */
final class FieldsHasher<K> implements EncodedHasher<K> {

  private final String id;
  private final HashFunction function;
  private final Fields<K> fields;

  FieldsHasher(HashFunction function, Fields<K> fields) {
    id = function.id(fields.name());
    this.function = function;
    this.fields = fields;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Encoding<K> encoding() {
    return fields.encoding();
  }

  @Override
  public long hash(K key) {
    Objects.requireNonNull(key, "key must not be null");
    KeyBytes bytes = KeyBytes.take();
    try {
      fields.write(key, bytes);
      return function.hash(bytes.array(), bytes.size());
    } catch (MissingKey e) {
      throw e.of(id);
    } finally {
      bytes.giveBack();
    }
  }

  @Override
  public String toString() {
    return id;
  }
}
