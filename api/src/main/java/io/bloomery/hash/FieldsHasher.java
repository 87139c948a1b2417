package io.bloomery.hash;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A hasher of keys of several fields, which are written side by side and hashed as a whole. */
final class FieldsHasher<K> implements EncodedHasher<K> {

  private static final int MAX_KEPT = 1 << 14;

  private final String id;
  private final HashFunction function;
  private final Fields<K> fields;

  /**
   * Where the last key was written, unless a thread is writing there now: that most keys need no
   * memory of their own. Not one for each thread, which would outlive its hasher.
   */
  private final AtomicReference<KeyBytes> spare = new AtomicReference<>();

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
    Objects.requireNonNull(key, "key");
    KeyBytes bytes = spare.getAndSet(null);
    if (bytes == null) {
      bytes = new KeyBytes();
    }
    bytes.clear();
    try {
      fields.write(key, bytes);
    } catch (MissingKey e) {
      throw e.of(id);
    }
    long hash = function.hash(bytes.array(), bytes.size());
    if (bytes.array().length <= MAX_KEPT) {
      spare.setRelease(bytes);
    }
    return hash;
  }

  @Override
  public String toString() {
    return id;
  }
}
