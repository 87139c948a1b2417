package io.bloomery.cli.key;

import io.bloomery.hash.KeyHasher;

/**
 * The hash functions that keys may have, with one secret or without any.
 *
 * @param text that of bytes
 * @param integers that of numbers
 */
public record KeyHashes(KeyHash text, KeyHash integers) {

  public static final KeyHashes WITHOUT_SECRET = new KeyHashes(KeyHash.TEXT, KeyHash.INTEGERS);

  /**
   * Returns those with a secret, which is not kept and may be wiped.
   *
   * @throws IllegalArgumentException if it is too short or too long
   */
  public static KeyHashes of(byte[] secret) {
    return new KeyHashes(
        KeyHash.of(KeyHasher.utf8Bytes().secret(secret)),
        KeyHash.of(KeyHasher.longs().secret(secret)));
  }

  /** Returns the one that keys of this syntax have. */
  public KeyHash of(KeySyntax syntax) {
    return syntax.isInteger() ? integers : text;
  }
}
