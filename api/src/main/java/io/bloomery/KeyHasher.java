package io.bloomery;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * Turns keys into uniform 64-bit hashes.
 *
 * <p>Hashers with equal ids give equal hashes for equal bytes, for ever and in every language: an
 * id names how a key becomes bytes and how bytes become a hash, and is written into files. The
 * hashers here are XXH3 with 64 bits, and SplitMix64 for longs without a seed; both are published.
 * They spread any keys evenly but do not withstand an opponent who knows the seed and chooses keys
 * to harm the filter.
 *
 * <p>Hashers have no state and may be used by any number of threads.
 *
 * @param <K> the type of keys
 */
public interface KeyHasher<K> {

  /** Returns the name of this way of hashing, such as {@code xxh3-64/utf8}. */
  String id();

  /**
   * Returns the hash of a key.
   *
   * @throws NullPointerException if the key is null
   */
  long hash(K key);

  /**
   * Returns a hasher for objects that hold such a key, with the same id: {@code of(User::email)}.
   */
  default <T> KeyHasher<T> of(Function<? super T, ? extends K> key) {
    Objects.requireNonNull(key, "key");
    KeyHasher<K> inner = this;
    return new KeyHasher<>() {
      @Override
      public String id() {
        return inner.id();
      }

      @Override
      public long hash(T holder) {
        return inner.hash(key.apply(Objects.requireNonNull(holder, "key")));
      }

      @Override
      public String toString() {
        return inner.toString();
      }
    };
  }

  /**
   * Returns a hasher of the same keys that hashes their bytes with a secret.
   *
   * @throws IllegalArgumentException if the secret is too short, or this hasher cannot take one
   */
  default KeyHasher<K> secret(byte[] secret) {
    throw new IllegalArgumentException("hasher " + id() + " cannot take a secret");
  }

  /**
   * Hashes text by its UTF-8 bytes. Any CharSequence of the same chars hashes alike; a surrogate
   * without its partner is encoded as its own three bytes; nothing is normalised. Id {@code
   * xxh3-64/utf8}.
   */
  static KeyHasher<CharSequence> utf8() {
    return Xxh3.unseeded().utf8();
  }

  /** As {@link #utf8()} with a seed, which becomes part of the id. */
  static KeyHasher<CharSequence> utf8(long seed) {
    return Xxh3.seeded(seed).utf8();
  }

  /**
   * Hashes bytes that already are UTF-8 text, so that they agree with the strings of {@link
   * #utf8()}; same id. The bytes are not checked.
   */
  static KeyHasher<byte[]> utf8Bytes() {
    return Xxh3.unseeded().utf8Bytes();
  }

  /** As {@link #utf8Bytes()} with a seed, which becomes part of the id. */
  static KeyHasher<byte[]> utf8Bytes(long seed) {
    return Xxh3.seeded(seed).utf8Bytes();
  }

  /** Hashes the content of byte arrays. Id {@code xxh3-64/bytes}. */
  static KeyHasher<byte[]> bytes() {
    return Xxh3.unseeded().bytes();
  }

  /** As {@link #bytes()} with a seed, which becomes part of the id. */
  static KeyHasher<byte[]> bytes(long seed) {
    return Xxh3.seeded(seed).bytes();
  }

  /**
   * Hashes the remaining bytes of a buffer, whose position stays where it is. Id {@code
   * xxh3-64/bytes}: equal bytes in an array and in a buffer are the same key.
   */
  static KeyHasher<ByteBuffer> byteBuffers() {
    return Xxh3.unseeded().byteBuffers();
  }

  /** As {@link #byteBuffers()} with a seed, which becomes part of the id. */
  static KeyHasher<ByteBuffer> byteBuffers(long seed) {
    return Xxh3.seeded(seed).byteBuffers();
  }

  /** Hashes a long by SplitMix64. Id {@code splitmix64/i64}. */
  static LongKeyHasher longs() {
    return SplitMix64.INSTANCE;
  }

  /**
   * Hashes a long by XXH3 of its 8 bytes, little-endian, with a seed, which becomes part of the id:
   * {@code xxh3-64/i64/seed=7}.
   */
  static LongKeyHasher longs(long seed) {
    return Xxh3.seeded(seed).longs();
  }

  /** Hashes an int as the long of the same value. Id {@code splitmix64/i64}. */
  static KeyHasher<Integer> ints() {
    return longs().of(Integer::longValue);
  }

  /** As {@link #ints()} with a seed, which becomes part of the id. */
  static KeyHasher<Integer> ints(long seed) {
    return longs(seed).of(Integer::longValue);
  }

  /** Hashes a UUID by its 16 bytes, big-endian, as they are printed. Id {@code xxh3-64/uuid}. */
  static KeyHasher<UUID> uuids() {
    return Xxh3.unseeded().uuids();
  }

  /** As {@link #uuids()} with a seed, which becomes part of the id. */
  static KeyHasher<UUID> uuids(long seed) {
    return Xxh3.seeded(seed).uuids();
  }
}
