package io.bloomery.hash;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Function;

/**
 * An encoding of keys as bytes, independent of the hash function.
 *
 * @param name its name in hash ids, such as {@code utf8}
 * @param writer writes the bytes of a key
 * @param hasher returns the hasher of such keys for a hash function
 */
record Encoding<K>(
    String name, Writer<? super K> writer, Function<HashFunction, ? extends KeyHasher<K>> hasher) {

  private static final String TEXT = "utf8";
  private static final String BYTES = "bytes";
  private static final String INTEGERS = "i64";

  // Created on demand: creating all lambdas at once would take as long as many runs of the
  // command-line tool.

  static Encoding<CharSequence> utf8() {
    return new Encoding<>(TEXT, (key, out) -> out.putUtf8(key), HashFunction::utf8);
  }

  static Encoding<byte[]> utf8Bytes() {
    return new Encoding<>(TEXT, (key, out) -> out.put(key), HashFunction::utf8Bytes);
  }

  static Encoding<byte[]> bytes() {
    return new Encoding<>(BYTES, (key, out) -> out.put(key), HashFunction::bytes);
  }

  static Encoding<ByteBuffer> byteBuffers() {
    return new Encoding<>(BYTES, (key, out) -> out.put(key), HashFunction::byteBuffers);
  }

  static Encoding<Long> longs() {
    return new Encoding<>(INTEGERS, (key, out) -> out.putLong(key), HashFunction::longs);
  }

  static Encoding<Integer> ints() {
    return new Encoding<>(INTEGERS, (key, out) -> out.putLong(key), HashFunction::ints);
  }

  static Encoding<UUID> uuids() {
    return new Encoding<>(
        "uuid",
        (key, out) -> {
          // UUIDs are printed, and stored by other systems, big-endian.
          out.putLong(Long.reverseBytes(key.getMostSignificantBits()));
          out.putLong(Long.reverseBytes(key.getLeastSignificantBits()));
        },
        HashFunction::uuids);
  }

  /** Returns whether keys are text or bytes, to which key forms can be applied. */
  boolean isTextOrBytes() {
    return name.equals(TEXT) || name.equals(BYTES);
  }

  /** A writer of the bytes of a key. */
  interface Writer<K> {
    void write(K key, KeyBytes out);
  }
}
