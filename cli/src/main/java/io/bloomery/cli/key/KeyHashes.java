package io.bloomery.cli.key;

import io.bloomery.hash.KeyHasher;

/**
 * The hash functions of keys, either with one secret or without a secret.
 *
 * @param text the hash function of bytes
 * @param integers the hash function of numbers
 */
public record KeyHashes(KeyHash text, KeyHash integers) {

  public static final KeyHashes WITHOUT_SECRET = new KeyHashes(KeyHash.TEXT, KeyHash.INTEGERS);

  /**
   * Returns the hash functions with a secret. The array is not kept and may be wiped.
   *
   * @throws IllegalArgumentException if the secret is too short or too long
   */
  public static KeyHashes of(byte[] secret) {
    return new KeyHashes(
        KeyHash.of(KeyHasher.utf8Bytes().secret(secret)),
        KeyHash.of(KeyHasher.longs().secret(secret)));
  }

  /** Returns the hash function for keys of this many fields of text, joined. */
  public KeyHash ofFields(int count) {
    return text.ofFields(count);
  }

  /** Returns the hash function for keys of this syntax. */
  public KeyHash of(KeySyntax syntax) {
    return syntax.isInteger() ? integers : text;
  }
}
