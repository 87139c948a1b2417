package io.bloomery.hash;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.internal.HashId;
import io.bloomery.internal.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.UUID;

/** 64-bit XXH3, with or without a seed. */
final class Xxh3 extends HashFunction {

  // Each returns the access for the byte order of its buffer; all read the same bytes.
  private static final ByteAccess<ByteBuffer> LITTLE_ENDIAN =
      ByteAccess.forByteBuffer(ByteOrder.LITTLE_ENDIAN);
  private static final ByteAccess<ByteBuffer> BIG_ENDIAN =
      ByteAccess.forByteBuffer(ByteOrder.BIG_ENDIAN);
  private static final Xxh3 UNSEEDED = new Xxh3(Hashing.xxh3_64(), "");

  private final Hasher64 hasher;
  private final String key;

  private Xxh3(Hasher64 hasher, String key) {
    this.hasher = hasher;
    this.key = key;
  }

  static Xxh3 unseeded() {
    return UNSEEDED;
  }

  static Xxh3 seeded(long seed) {
    return new Xxh3(Hashing.xxh3_64(seed), HashId.seed(seed));
  }

  @Override
  String id(String encoding) {
    return new HashId("xxh3-64", encoding, key).text();
  }

  @Override
  long hash(byte[] bytes, int length) {
    return hasher.hashBytesToLong(bytes, 0, length);
  }

  @Override
  KeyHasher<CharSequence> utf8() {
    Hasher64 xxh3 = hasher;
    return hasher(Encoding.utf8(), key -> xxh3.hashBytesToLong(Utf8.encode(key)));
  }

  @Override
  BytesKeyHasher bytes(Encoding<byte[]> encoding) {
    return new Bytes(id(encoding.name()), encoding, hasher);
  }

  @Override
  KeyHasher<ByteBuffer> byteBuffers() {
    Hasher64 xxh3 = hasher;
    return hasher(
        Encoding.byteBuffers(),
        key -> {
          var bytes = key.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
          return xxh3.hashBytesToLong(key, key.position(), key.remaining(), bytes);
        });
  }

  @Override
  LongKeyHasher longs() {
    return new Longs(id(Encoding.longs().name()), hasher);
  }

  @Override
  KeyHasher<UUID> uuids() {
    Hasher64 xxh3 = hasher;
    // XXH3 reads longs little-endian; UUIDs are printed, and stored by other systems, big-endian.
    return hasher(
        Encoding.uuids(),
        key ->
            xxh3.hashLongLongToLong(
                Long.reverseBytes(key.getMostSignificantBits()),
                Long.reverseBytes(key.getLeastSignificantBits())));
  }

  private record Bytes(String id, Encoding<byte[]> encoding, Hasher64 hasher)
      implements EncodedBytesHasher {
    @Override
    public long hash(byte[] bytes, int from, int to) {
      Objects.checkFromToIndex(from, to, bytes.length);
      return hasher.hashBytesToLong(bytes, from, to - from);
    }

    @Override
    public long hashPieces(Iterable<byte[]> pieces) {
      HashStream64 stream = hasher.hashStream();
      for (byte[] piece : pieces) {
        stream.putBytes(piece);
      }
      return stream.getAsLong();
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private record Longs(String id, Hasher64 hasher) implements EncodedLongHasher {
    @Override
    public long hash(long key) {
      return hasher.hashLongToLong(key);
    }

    @Override
    public String toString() {
      return id;
    }
  }
}
