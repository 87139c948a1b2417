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

  /** Leaves keys to another, who hashes them in its own way. */
  static final KeyHash NONE = new None();

  private final String id;

  private KeyHash(String id) {
    this.id = id;
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

  private static final class None extends KeyHash {

    None() {
      super("none");
    }

    @Override
    long hash(byte[] bytes, int from, int length) {
      return 0;
    }

    @Override
    long hash(List<byte[]> pieces) {
      return 0;
    }
  }

  private static final class OfBytes extends KeyHash {

    private final BytesKeyHasher hasher;

    OfBytes(BytesKeyHasher hasher) {
      super(hasher.id());
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
      super(hasher.id());
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
