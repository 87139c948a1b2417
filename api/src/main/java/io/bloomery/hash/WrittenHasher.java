package io.bloomery.hash;

/** A hasher of this library that also takes what is written for a key, as bytes. */
interface WrittenHasher<K> extends EncodedHasher<K> {

  /** Returns the hash of a key that has these bytes, so many from the first on. */
  long hashWritten(byte[] bytes, int length);

  @Override
  default KeyHasher<K> withForm(KeyForm form) {
    return form == KeyForm.PLAIN || !encoding().isTextOrBytes()
        ? EncodedHasher.super.withForm(form)
        : new FormedHasher<>(this, form);
  }
}
