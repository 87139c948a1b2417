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
 * <p>Whoever has keys or hashes of another kind implements {@link #id} and {@link #hash}. Methods
 * that are added later will have defaults, so that such hashers keep compiling and working.
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
   * Returns a hasher for objects that hold such a key, with the same id: {@code
   * compose(User::email)}. If the function returns null, {@link #hash} throws a
   * NullPointerException that says so.
   */
  default <T> KeyHasher<T> compose(Function<? super T, ? extends K> key) {
    return new ExtractedHasher<>(this, Objects.requireNonNull(key, "function must not be null"));
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
   * <p>Files of one secret have the same fingerprint, and whoever has two of them can tell how many
   * keys they share. Files that must not be linked take a secret each.
   *
   * @param secret 16 to 4,096 random bytes, such as 32 of {@link java.security.SecureRandom}, which
   *     are not kept: wipe them if you like. A password is not random: whoever reads a file could
   *     try many by its fingerprint.
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
   * Returns how the keys are written that this takes. A filter records it, and refuses hashers of
   * another form. {@link KeyForm#PLAIN} unless {@link #withForm} or {@link #readyIn} said
   * otherwise.
   */
  default KeyForm keyForm() {
    return KeyForm.PLAIN;
  }

  /**
   * Returns a hasher of the same id that applies a form to each key and hashes what it stands for:
   * {@code strings().withForm(KeyForm.IGNORE_CASE)}. If a key is not written in the form, {@link
   * #hash} throws IllegalArgumentException. A hash takes two small arrays.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or this hasher has another
   *     form than {@link KeyForm#PLAIN} already
   */
  default KeyHasher<K> withForm(KeyForm form) {
    return KeyForms.applied(this, Objects.requireNonNull(form, "form"));
  }

  /**
   * Returns a hasher of the same hashes that takes keys for what a form has made of them already:
   * folded by the caller, or bytes that others write in hex. Nothing is done to them, and nothing
   * checked: a key that is not ready is another key.
   *
   * @throws IllegalArgumentException if keys are neither text nor bytes, or this hasher has another
   *     form than {@link KeyForm#PLAIN} already
   */
  default KeyHasher<K> readyIn(KeyForm form) {
    return KeyForms.ready(this, Objects.requireNonNull(form, "form"));
  }

  /**
   * Hashes text by its UTF-8 bytes. Any CharSequence of the same chars hashes alike; a surrogate
   * without its partner is encoded as its own three bytes; nothing is normalised. Id {@code
   * xxh3-64/utf8}.
   */
  static KeyHasher<CharSequence> strings() {
    return Xxh3.unseeded().utf8();
  }

  /**
   * Hashes bytes that already are UTF-8 text, so that they agree with the strings of {@link
   * #strings()}; same id. The bytes are not checked.
   */
  static BytesKeyHasher utf8Bytes() {
    return Xxh3.unseeded().utf8Bytes();
  }

  /** Hashes the content of byte arrays. Id {@code xxh3-64/bytes}. */
  static BytesKeyHasher byteArrays() {
    return Xxh3.unseeded().bytes();
  }

  /**
   * Hashes the remaining bytes of a buffer, whose position stays where it is. Id {@code
   * xxh3-64/bytes}: equal bytes in an array and in a buffer are the same key.
   */
  static KeyHasher<ByteBuffer> byteBuffers() {
    return Xxh3.unseeded().byteBuffers();
  }

  /** Hashes a long by SplitMix64. Id {@code splitmix64/i64}. */
  static LongKeyHasher longs() {
    return SplitMix64.INSTANCE;
  }

  /** Hashes an int as the long of the same value. Id {@code splitmix64/i64}. */
  static KeyHasher<Integer> ints() {
    return new IntHasher(longs());
  }

  /** Hashes a UUID by its 16 bytes, big-endian, as they are printed. Id {@code xxh3-64/uuid}. */
  static KeyHasher<UUID> uuids() {
    return Xxh3.unseeded().uuids();
  }

  /**
   * Hashes keys of several fields: {@code fields(strings().compose(User::email),
   * longs().compose(User::tenant))}. Each field counts with its length, so that ("ab", "c") and
   * ("a", "bc") are different keys. Id {@code xxh3-64/(utf8,i64)}, which names how each field
   * becomes bytes; their hash functions are of no account.
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
