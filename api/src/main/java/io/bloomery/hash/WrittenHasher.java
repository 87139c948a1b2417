package io.bloomery.hash;

/** A hasher of this library that also accepts keys already encoded as bytes. */
interface WrittenHasher<K> extends EncodedHasher<K> {

  /** Returns the hash of the key encoded in the first {@code length} bytes. */
  long hashWritten(byte[] bytes, int length);

  @Override
  default KeyHasher<K> withForm(KeyForm form) {
    return form == KeyForm.PLAIN || !encoding().isTextOrBytes()
        ? EncodedHasher.super.withForm(form)
        : new FormedHasher<>(this, form);
  }
}
