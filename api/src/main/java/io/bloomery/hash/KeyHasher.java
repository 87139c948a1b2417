package io.bloomery.hash;

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
 * They spread any keys evenly but are not resistant to chosen-key attacks, by somebody who knows
 * the seed and chooses keys to harm the filter: against one, give them a {@linkplain #secret
 * secret}.
 *
 * <p>A hash depends on the key alone, and hashers may be used by any number of threads.
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
   * If the function returns null, {@link #hash} throws a NullPointerException that says so.
   */
  default <T> KeyHasher<T> of(Function<? super T, ? extends K> key) {
    return new ExtractedHasher<>(this, Objects.requireNonNull(key, "key"));
  }

  /**
   * Returns a hasher of the same keys that hashes their bytes with a secret, by SipHash-2-4: for
   * keys chosen by somebody who wants the filter to fail. Who lacks the secret cannot predict
   * hashes, and so cannot choose keys that fill a filter early, or that it takes for present. That
   * does not keep anybody from asking the filter for many keys and using again those that it took
   * for present.
   *
   * <p>Id {@code siphash-2-4/utf8/secret=0123456789abcdef}, and likewise for other keys: the digits
   * are a fingerprint that tells secrets apart and is written into files, the secret never is. A
   * hash of a short text takes about twice as long as without, and no memory. All hashers that the
   * methods of this interface return can take a secret, but those with a seed. Source: Aumasson,
   * Bernstein, 2012, "SipHash: a fast short-input PRF", doi.org/10.1007/978-3-642-34931-7_28.
   *
   * @param secret at least 16 random bytes, such as 32 of {@link java.security.SecureRandom}, which
   *     are not kept: wipe them if you like. A password is not random: whoever reads a file could
   *     try many by its fingerprint.
   * @throws IllegalArgumentException if the secret is too short, or this hasher has a seed or a
   *     secret, or is none of those here
   */
  default KeyHasher<K> secret(byte[] secret) {
    throw new IllegalArgumentException(
        "a hasher with a secret must be one of those that KeyHasher's own methods return, but is "
            + id()
            + " of class "
            + getClass().getName()
            + "; take such as KeyHasher.bytes(), and of(...) for what they do not take themselves");
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
    return new IntHasher(longs());
  }

  /** As {@link #ints()} with a seed, which becomes part of the id. */
  static KeyHasher<Integer> ints(long seed) {
    return Xxh3.seeded(seed).ints();
  }

  /** Hashes a UUID by its 16 bytes, big-endian, as they are printed. Id {@code xxh3-64/uuid}. */
  static KeyHasher<UUID> uuids() {
    return Xxh3.unseeded().uuids();
  }

  /** As {@link #uuids()} with a seed, which becomes part of the id. */
  static KeyHasher<UUID> uuids(long seed) {
    return Xxh3.seeded(seed).uuids();
  }

  /**
   * Hashes keys of several fields: {@code fields(utf8().of(User::email),
   * longs().of(User::tenant))}. Each field counts with its length, so that ("ab", "c") and ("a",
   * "bc") are different keys. Id {@code xxh3-64/(utf8,i64)}, which names how each field becomes
   * bytes; their hash functions are of no account.
   *
   * @param fields 1 to 16 hashers that the methods of this interface return, without a seed or
   *     secret of their own; one of them may be of several fields itself
   * @throws IllegalArgumentException if they are not, or if the id has more than 255 characters
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static <T> KeyHasher<T> fields(KeyHasher<? super T>... fields) {
    return new FieldsHasher<>(Xxh3.unseeded(), Fields.of(fields));
  }

  /** As {@link #fields(KeyHasher...)} with a seed, which becomes part of the id. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static <T> KeyHasher<T> fields(long seed, KeyHasher<? super T>... fields) {
    return new FieldsHasher<>(Xxh3.seeded(seed), Fields.of(fields));
  }
}
