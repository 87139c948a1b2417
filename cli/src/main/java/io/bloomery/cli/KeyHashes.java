package io.bloomery.cli;

import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.SecretHash;

/**
 * The hash functions that keys may have, with one secret or without any.
 *
 * @param text that of bytes
 * @param integers that of numbers
 */
record KeyHashes(KeyHash text, KeyHash integers) {

  static final KeyHashes WITHOUT_SECRET = new KeyHashes(KeyHash.TEXT, KeyHash.INTEGERS);

  /**
   * Returns those with a secret, which is not kept and may be wiped.
   *
   * @throws IllegalArgumentException if it is too short
   */
  static KeyHashes of(byte[] secret) {
    SecretHash hash = SecretHash.of(secret);
    return new KeyHashes(
        KeyHash.secret(KeyHasher.utf8Bytes().secret(secret).id(), hash),
        KeyHash.secret(KeyHasher.longs().secret(secret).id(), hash));
  }

  /** Returns the one that keys of this form have. */
  KeyHash of(KeyForm form) {
    return form.isInteger() ? integers : text;
  }
}
