package io.bloomery.hash;

import io.bloomery.internal.HashId;
import io.bloomery.internal.SecretHash;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;

/** SipHash-2-4 with a secret. */
final class SipHash extends HashFunction {
  // decisions.md#with-a-secret-it-is-siphash-2-4-of-the-bytes-and-not-of-their-xxh3

  private final SecretHash secret;

  private SipHash(SecretHash secret) {
    this.secret = secret;
  }

  static SipHash of(byte[] secret) {
    return new SipHash(SecretHash.of(secret));
  }

  @Override
  String id(String encoding) {
    return new HashId("siphash-2-4", encoding, HashId.secret(secret.fingerprint())).text();
  }

  @Override
  long hash(byte[] bytes, int length) {
    return secret.hash(bytes, 0, length);
  }

  @Override
  KeyHasher<CharSequence> utf8() {
    return hasher(Encoding.utf8(), secret::hash);
  }

  @Override
  BytesKeyHasher bytes(Encoding<byte[]> encoding) {
    return new Bytes(id(encoding.name()), encoding, secret);
  }

  @Override
  KeyHasher<ByteBuffer> byteBuffers() {
    return hasher(Encoding.byteBuffers(), secret::hash);
  }

  @Override
  LongKeyHasher longs() {
    return new Longs(id(Encoding.longs().name()), secret);
  }

  @Override
  KeyHasher<UUID> uuids() {
    SecretHash secret = this.secret;
    return hasher(
        Encoding.uuids(),
        key ->
            secret.hash(
                Long.reverseBytes(key.getMostSignificantBits()),
                Long.reverseBytes(key.getLeastSignificantBits())));
  }

  private record Bytes(String id, Encoding<byte[]> encoding, SecretHash secret)
      implements EncodedBytesHasher {
    @Override
    public long hash(byte[] bytes, int from, int to) {
      Objects.checkFromToIndex(from, to, bytes.length);
      return secret.hash(bytes, from, to - from);
    }

    @Override
    public long hashPieces(Iterable<byte[]> pieces) {
      SecretHash.Stream stream = secret.stream();
      for (byte[] piece : pieces) {
        stream.put(piece, 0, piece.length);
      }
      return stream.get();
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private record Longs(String id, SecretHash secret) implements EncodedLongHasher {
    @Override
    public long hash(long key) {
      return secret.hash(key);
    }

    @Override
    public String toString() {
      return id;
    }
  }
}
