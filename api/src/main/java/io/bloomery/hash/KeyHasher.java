package io.bloomery.hash;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * A hash function that maps keys to uniform 64-bit hashes.
 *
 * <p>Hashers with equal ids return equal hashes for equal bytes, in every version and every
 * language: an id names the encoding of keys as bytes and the hash function of these bytes, and is
 * stored in files. The hashers here are XXH3 with 64 bits, and SplitMix64 for longs without a seed;
 * both are published. Their hashes are uniform for any keys, but they are not resistant to
 * chosen-key attacks, in which an attacker who knows the seed chooses keys to harm the filter: use
 * a {@linkplain #secret secret} against these.
 *
 * <p>A hash depends on the key alone, and hashers are thread-safe.
 *
 * <p>For other types of keys or other hash functions, implement {@link #id} and {@link #hash}.
 * Methods added in later versions will have default implementations, so that existing
 * implementations stay source and binary compatible.
 *
 * @param <K> the type of keys
 */
public interface KeyHasher<K> {

  /** Returns the id of the encoding and hash function, for example {@code xxh3-64/utf8}. */
  String id();

  /**
   * Returns the hash of a key.
   *
   * @throws NullPointerException if the key is null
   */
  long hash(K key);

  /**
   * Returns a hasher of objects that have such a key, with the same id: {@code
   * compose(User::email)}. If the function returns null, {@link #hash} throws a
   * NullPointerException that says so.
   */
  default <T> KeyHasher<T> compose(Function<? super T, ? extends K> key) {
    return new ExtractedHasher<>(this, Objects.requireNonNull(key, "function must not be null"));
  }

  /**
   * Returns a hasher of the same keys that hashes their bytes with a secret, by SipHash-2-4: a
   * defence against chosen-key attacks. An attacker without the secret cannot predict hashes, and
   * so cannot choose keys that fill a filter early or are false positives. It does not prevent an
   * attacker from querying the filter for many keys and reusing those that were false positives.
   *
   * <p>Id {@code siphash-2-4/utf8/secret=0123456789abcdef}, and likewise for other keys: the digits
   * are a fingerprint that distinguishes secrets and is stored in files; the secret never is. A
   * hash of a short text takes about twice as long as without, and no memory. All hashers that the
   * methods of this interface return support a secret, except those with a seed. Source: Aumasson,
   * Bernstein, 2012, "SipHash: a fast short-input PRF", doi.org/10.1007/978-3-642-34931-7_28.
   *
   * <p>Files with one secret have the same fingerprint, and anyone who has two of them can tell how
   * many keys they share. Use a separate secret for each of several files that must not be
   * linkable.
   *
   * @param secret 16 to 4,096 random bytes, such as 32 of {@link java.security.SecureRandom}, which
   *     are not retained, so that the array may be wiped. A password is not random: anyone who
   *     reads a file could test candidates against its fingerprint.
   * @throws IllegalArgumentException if the secret is too short or too long, or this hasher has a
   *     seed or a secret, or is none of those here
   */
  default KeyHasher<K> secret(byte[] secret) {
    throw new IllegalArgumentException(
        "a hasher with a secret must be one of those that KeyHasher's own methods return, but is "
            + id()
            + " of class "
            + getClass().getName()
            + "; take such as KeyHasher.byteArrays(), and compose(...) for what they do not take themselves");
  }

  /**
   * Returns a hasher of the same keys that hashes their bytes by XXH3 with a seed, so that two
   * filters in a row are not wrong about the same keys. The seed becomes part of the id: {@code
   * xxh3-64/utf8/seed=7}. Each seed, 0 too, gives an id of its own; longs and ints are hashed by
   * XXH3 of their 8 bytes, little-endian, in place of SplitMix64. A seed is public, and keeps
   * nobody from choosing keys: that takes a {@linkplain #secret secret}.
   *
   * @throws IllegalArgumentException if this hasher has a seed or a secret, or is none of those
   *     here
   */
  default KeyHasher<K> withSeed(long seed) {
    throw new IllegalArgumentException(
        "a hasher with a seed must be one of those that KeyHasher's own methods return, but is "
            + id()
            + " of class "
            + getClass().getName()
            + "; take such as KeyHasher.byteArrays(), and compose(...) for what they do not take themselves");
  }

  /**
   * Returns the form of the keys. A filter records it, and rejects hashers of a different form. It
   * is {@link KeyForm#PLAIN} unless set by {@link #withForm} or {@link #readyIn}.
   */
  default KeyForm keyForm() {
    return KeyForm.PLAIN;
  }

  /**
   * Returns a hasher with the same id that applies a form to each key and hashes the result: {@code
   * strings().withForm(KeyForm.IGNORE_CASE)}. If a key is not valid in the form, {@link #hash}
   * throws IllegalArgumentException. Each call allocates two small arrays.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or this hasher has another
   *     form than {@link KeyForm#PLAIN} already
   */
  default KeyHasher<K> withForm(KeyForm form) {
    return KeyForms.applied(this, Objects.requireNonNull(form, "form"));
  }

  /**
   * Returns a hasher with the same hashes whose keys are already in a form: folded by the caller,
   * or the bytes that others write in hex. They are neither converted nor checked: a key that is
   * not in the form is a different key.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or this hasher has another
   *     form than {@link KeyForm#PLAIN} already
   */
  default KeyHasher<K> readyIn(KeyForm form) {
    return KeyForms.ready(this, Objects.requireNonNull(form, "form"));
  }

  /**
   * Returns a hasher of text by its UTF-8 bytes. Every CharSequence of the same chars has the same
   * hash; an unpaired surrogate is encoded as three bytes; text is not normalised. Id {@code
   * xxh3-64/utf8}.
   */
  static KeyHasher<CharSequence> strings() {
    return Xxh3.unseeded().utf8();
  }

  /**
   * Returns a hasher of text already encoded in UTF-8, with the same hashes and the same id as
   * {@link #strings()}. The bytes are not checked.
   */
  static BytesKeyHasher utf8Bytes() {
    return Xxh3.unseeded().utf8Bytes();
  }

  /** Returns a hasher of byte arrays by content. Id {@code xxh3-64/bytes}. */
  static BytesKeyHasher byteArrays() {
    return Xxh3.unseeded().bytes();
  }

  /**
   * Returns a hasher of the remaining bytes of a buffer, whose position is not changed. Id {@code
   * xxh3-64/bytes}: equal bytes in an array and in a buffer are the same key.
   */
  static KeyHasher<ByteBuffer> byteBuffers() {
    return Xxh3.unseeded().byteBuffers();
  }

  /** Returns a hasher of longs by SplitMix64. Id {@code splitmix64/i64}. */
  static LongKeyHasher longs() {
    return SplitMix64.INSTANCE;
  }

  /** Returns a hasher of ints as the longs of the same value. Id {@code splitmix64/i64}. */
  static KeyHasher<Integer> ints() {
    return new IntHasher(longs());
  }

  /**
   * Returns a hasher of doubles as the longs of their bits, {@link Double#doubleToLongBits}, with
   * 0.0 in place of -0.0: numbers that {@code ==} calls equal are one key, and so is every NaN. Id
   * {@code splitmix64/i64}.
   */
  static KeyHasher<Double> doubles() {
    return longs().composeLong(key -> Double.doubleToLongBits(key + 0.0)); // of -0.0 it is 0.0
  }

  /**
   * Returns a hasher of floats as the doubles of the same value: {@code 0.5f} and {@code 0.5} are
   * one key, {@code 0.1f} and {@code 0.1}, which differ, are two. Id {@code splitmix64/i64}.
   */
  static KeyHasher<Float> floats() {
    return longs().composeLong(key -> Double.doubleToLongBits(key + 0.0));
  }

  /**
   * Returns a hasher of UUIDs by their 16 bytes, big-endian, in the order in which they are
   * printed. Id {@code xxh3-64/uuid}.
   */
  static KeyHasher<UUID> uuids() {
    return Xxh3.unseeded().uuids();
  }

  /**
   * Returns a hasher of keys of several fields: {@code fields(strings().compose(User::email),
   * longs().compose(User::tenant))}. The length of each field is hashed with it, so that ("ab",
   * "c") and ("a", "bc") are different keys. Id {@code xxh3-64/(utf8,i64)}, which names the
   * encoding of each field; the hash functions of the fields are not used.
   *
   * @param fields 1 to 16 hashers that the methods of this interface return, without a seed, a
   *     secret or a key form of their own; one of them may be of several fields itself
   * @throws IllegalArgumentException if they are not, or if the id has more than 255 characters
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static <T> KeyHasher<T> fields(KeyHasher<? super T>... fields) {
    return new FieldsHasher<>(Xxh3.unseeded(), Fields.of(fields));
  }
}
