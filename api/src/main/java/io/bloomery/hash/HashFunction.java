package io.bloomery.hash;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.ToLongFunction;

/** A hash function of bytes, with hashers of keys of each encoding. */
abstract sealed class HashFunction permits Xxh3, SipHash {

  /** Returns the hash id of keys of an encoding. */
  abstract String id(String encoding);

  abstract long hash(byte[] bytes, int length);

  abstract KeyHasher<CharSequence> utf8();

  abstract BytesKeyHasher bytes(Encoding<byte[]> encoding);

  abstract KeyHasher<ByteBuffer> byteBuffers();

  abstract LongKeyHasher longs();

  abstract KeyHasher<UUID> uuids();

  final BytesKeyHasher utf8Bytes() {
    return bytes(Encoding.utf8Bytes());
  }

  final BytesKeyHasher bytes() {
    return bytes(Encoding.bytes());
  }

  final KeyHasher<Integer> ints() {
    return new IntHasher(longs());
  }

  final <K> KeyHasher<K> hasher(Encoding<K> encoding, ToLongFunction<? super K> function) {
    return new ObjectHasher<>(id(encoding.name()), encoding, this, function);
  }
}
