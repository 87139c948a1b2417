package io.bloomery.hash;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Function;

/**
 * How keys become bytes, whatever hashes them then.
 *
 * @param name how hash ids name it, such as {@code utf8}
 * @param writer writes the bytes of a key
 * @param hasher makes the hasher of such keys by a hash function
 */
record Encoding<K>(
    String name, Writer<? super K> writer, Function<HashFunction, ? extends KeyHasher<K>> hasher) {

  private static final String TEXT = "utf8";
  private static final String BYTES = "bytes";
  private static final String INTEGERS = "i64";

  // Made when asked for: all lambdas at once would take as long as many a run of the command.

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
          // A UUID is printed, and stored elsewhere, big-endian.
          out.putLong(Long.reverseBytes(key.getMostSignificantBits()));
          out.putLong(Long.reverseBytes(key.getLeastSignificantBits()));
        },
        HashFunction::uuids);
  }

  /** Returns whether keys are their bytes, to which key forms can be applied. */
  boolean isTextOrBytes() {
    return name.equals(TEXT) || name.equals(BYTES);
  }

  /** Writes the bytes of a key. */
  interface Writer<K> {
    void write(K key, KeyBytes out);
  }
}
