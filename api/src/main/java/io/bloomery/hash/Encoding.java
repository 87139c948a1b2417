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

  static final Encoding<CharSequence> UTF8 =
      new Encoding<>("utf8", (key, out) -> out.putUtf8(key), HashFunction::utf8);
  static final Encoding<byte[]> UTF8_BYTES =
      new Encoding<>("utf8", (key, out) -> out.put(key), HashFunction::utf8Bytes);
  static final Encoding<byte[]> BYTES =
      new Encoding<>("bytes", (key, out) -> out.put(key), HashFunction::bytes);
  static final Encoding<ByteBuffer> BUFFERS =
      new Encoding<>("bytes", (key, out) -> out.put(key), HashFunction::byteBuffers);
  static final Encoding<Long> LONGS =
      new Encoding<>("i64", (key, out) -> out.putLong(key), HashFunction::longs);
  static final Encoding<Integer> INTS =
      new Encoding<>("i64", (key, out) -> out.putLong(key), HashFunction::ints);
  static final Encoding<UUID> UUIDS =
      new Encoding<>(
          "uuid",
          (key, out) -> {
            // A UUID is printed, and stored elsewhere, big-endian.
            out.putLong(Long.reverseBytes(key.getMostSignificantBits()));
            out.putLong(Long.reverseBytes(key.getLeastSignificantBits()));
          },
          HashFunction::uuids);

  /** Returns whether keys are their bytes, to which key forms can be applied. */
  boolean isTextOrBytes() {
    return name.equals(UTF8.name) || name.equals(BYTES.name);
  }

  /** Writes the bytes of a key. */
  interface Writer<K> {
    void write(K key, KeyBytes out);
  }
}
