package io.bloomery;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.function.ToLongFunction;

/** 64-bit XXH3 over the bytes of each type of key. */
final class Xxh3 {

  private static final String NAME = "xxh3-64/";
  // Each takes the order that the buffer has, and reads the same bytes.
  private static final ByteAccess<ByteBuffer> LITTLE_ENDIAN =
      ByteAccess.forByteBuffer(ByteOrder.LITTLE_ENDIAN);
  private static final ByteAccess<ByteBuffer> BIG_ENDIAN =
      ByteAccess.forByteBuffer(ByteOrder.BIG_ENDIAN);
  private static final Xxh3 UNSEEDED = new Xxh3(Hashing.xxh3_64(), "");

  private final Hasher64 hasher;
  private final String suffix;

  private Xxh3(Hasher64 hasher, String suffix) {
    this.hasher = hasher;
    this.suffix = suffix;
  }

  static Xxh3 unseeded() {
    return UNSEEDED;
  }

  static Xxh3 seeded(long seed) {
    return new Xxh3(Hashing.xxh3_64(seed), "/seed=" + seed);
  }

  KeyHasher<CharSequence> utf8() {
    return named("utf8", key -> hasher.hashBytesToLong(Utf8.encode(key)));
  }

  KeyHasher<byte[]> utf8Bytes() {
    return named("utf8", hasher::hashBytesToLong);
  }

  KeyHasher<byte[]> bytes() {
    return named("bytes", hasher::hashBytesToLong);
  }

  KeyHasher<ByteBuffer> byteBuffers() {
    return named(
        "bytes",
        key -> {
          var bytes = key.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN;
          return hasher.hashBytesToLong(key, key.position(), key.remaining(), bytes);
        });
  }

  LongKeyHasher longs() {
    return new Longs(NAME + "i64" + suffix, hasher);
  }

  KeyHasher<UUID> uuids() {
    // XXH3 reads longs little-endian; a UUID is printed, and stored elsewhere, big-endian.
    return named(
        "uuid",
        key ->
            hasher.hashLongLongToLong(
                Long.reverseBytes(key.getMostSignificantBits()),
                Long.reverseBytes(key.getLeastSignificantBits())));
  }

  private <K> KeyHasher<K> named(String encoding, ToLongFunction<K> function) {
    return new Named<>(NAME + encoding + suffix, function);
  }

  private record Longs(String id, Hasher64 hasher) implements LongKeyHasher {
    @Override
    public long hash(long key) {
      return hasher.hashLongToLong(key);
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private record Named<K>(String id, ToLongFunction<K> function) implements KeyHasher<K> {
    @Override
    public long hash(K key) {
      return function.applyAsLong(key);
    }

    @Override
    public String toString() {
      return id;
    }
  }
}
