package io.bloomery.cli;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import io.bloomery.internal.SecretHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A hash function of keys that are bytes, known to programs by its id. It takes keys where they lie
 * within an array, without a copy.
 */
abstract class KeyHash {

  /** Hashes the bytes of text, as programs hash their strings. */
  static final KeyHash TEXT = new OfText();

  /** Hashes eight bytes, little-endian, as programs hash their longs. */
  static final KeyHash INTEGERS = new OfIntegers();

  private final String id;

  private KeyHash(String id) {
    this.id = id;
  }

  /** Returns a hash function of bytes that only those know who have a secret. */
  static KeyHash secret(String id, SecretHash hash) {
    return new OfSecret(id, hash);
  }

  /** Returns the hash id that filters record. */
  final String id() {
    return id;
  }

  /** Returns the hash of a part of an array. */
  abstract long hash(byte[] bytes, int from, int length);

  /** Returns the hash of a key that comes in pieces. */
  abstract long hash(List<byte[]> pieces);

  /** Returns the hash of a whole array. */
  final long hash(byte[] key) {
    return hash(key, 0, key.length);
  }

  private static final class OfText extends KeyHash {

    /** The hash function of {@link KeyHasher#utf8Bytes}, for parts of arrays too. */
    private static final Hasher64 XXH3 = Hashing.xxh3_64();

    OfText() {
      super(KeyHasher.utf8Bytes().id());
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return XXH3.hashBytesToLong(bytes, from, length);
    }

    @Override
    long hash(List<byte[]> pieces) {
      HashStream64 stream = XXH3.hashStream();
      for (byte[] piece : pieces) {
        stream.putBytes(piece);
      }
      return stream.getAsLong();
    }
  }

  private static final class OfIntegers extends KeyHash {

    private static final LongKeyHasher HASHER = KeyHasher.longs();
    private static final VarHandle EIGHT_BYTES =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    OfIntegers() {
      super(HASHER.id());
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return HASHER.hash((long) EIGHT_BYTES.get(bytes, from));
    }

    @Override
    long hash(List<byte[]> pieces) {
      throw new IllegalStateException("eight bytes must be in one piece");
    }
  }

  private static final class OfSecret extends KeyHash {

    private final SecretHash hash;

    OfSecret(String id, SecretHash hash) {
      super(id);
      this.hash = hash;
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return hash.hash(bytes, from, length);
    }

    @Override
    long hash(List<byte[]> pieces) {
      SecretHash.Stream stream = hash.stream();
      for (byte[] piece : pieces) {
        stream.put(piece, 0, piece.length);
      }
      return stream.get();
    }
  }
}
