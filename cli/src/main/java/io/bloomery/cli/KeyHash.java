package io.bloomery.cli;

import io.bloomery.hash.BytesKeyHasher;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
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
  static final KeyHash TEXT = of(KeyHasher.utf8Bytes());

  /** Hashes eight bytes, little-endian, as programs hash their longs. */
  static final KeyHash INTEGERS = of(KeyHasher.longs());

  private final String id;

  private KeyHash(KeyHasher<?> hasher) {
    this.id = hasher.id();
  }

  /** Returns the hash function of bytes that a hasher has. */
  static KeyHash of(BytesKeyHasher hasher) {
    return new OfBytes(hasher);
  }

  /** Returns the hash function that a hasher has, of numbers as eight bytes, little-endian. */
  static KeyHash of(LongKeyHasher hasher) {
    return new OfIntegers(hasher);
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

  private static final class OfBytes extends KeyHash {

    private final BytesKeyHasher hasher;

    OfBytes(BytesKeyHasher hasher) {
      super(hasher);
      this.hasher = hasher;
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return hasher.hash(bytes, from, from + length);
    }

    @Override
    long hash(List<byte[]> pieces) {
      return hasher.hashPieces(pieces);
    }
  }

  private static final class OfIntegers extends KeyHash {

    private static final VarHandle EIGHT_BYTES =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final LongKeyHasher hasher;

    OfIntegers(LongKeyHasher hasher) {
      super(hasher);
      this.hasher = hasher;
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return hasher.hash((long) EIGHT_BYTES.get(bytes, from));
    }

    @Override
    long hash(List<byte[]> pieces) {
      throw new IllegalStateException("eight bytes must be in one piece");
    }
  }
}
