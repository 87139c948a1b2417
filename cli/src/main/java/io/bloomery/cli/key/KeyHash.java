package io.bloomery.cli.key;

import io.bloomery.hash.BytesKeyHasher;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A hash function for keys given as bytes, identified by the hash id that filters record. Hashes
 * keys in place within an array, without a copy.
 */
public abstract class KeyHash {

  /** Hashes the bytes of text as programs hash their strings. */
  public static final KeyHash TEXT = of(KeyHasher.utf8Bytes());

  /** Hashes eight bytes, little-endian, as programs hash their longs. */
  public static final KeyHash INTEGERS = of(KeyHasher.longs());

  /** Computes no hashes: for filters of other systems, which hash keys in their own way. */
  public static final KeyHash NONE = new None();

  private final String id;

  private KeyHash(String id) {
    this.id = id;
  }

  /** Returns the hash function of a hasher of bytes. */
  static KeyHash of(BytesKeyHasher hasher) {
    return new OfBytes(hasher);
  }

  /**
   * Returns the hash function of a hasher of numbers, for numbers given as eight bytes,
   * little-endian.
   */
  static KeyHash of(LongKeyHasher hasher) {
    return new OfIntegers(hasher);
  }

  /** Returns the hash id that filters record. */
  public final String id() {
    return id;
  }

  /** Returns the hash of a part of an array. */
  public abstract long hash(byte[] bytes, int from, int length);

  /** Returns the hash of a key in several pieces. */
  public abstract long hash(List<byte[]> pieces);

  /** Returns the hash of a whole array. */
  public final long hash(byte[] key) {
    return hash(key, 0, key.length);
  }

  private static final class None extends KeyHash {

    None() {
      super("none");
    }

    @Override
    public long hash(byte[] bytes, int from, int length) {
      return 0;
    }

    @Override
    public long hash(List<byte[]> pieces) {
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
    public long hash(byte[] bytes, int from, int length) {
      return hasher.hash(bytes, from, from + length);
    }

    @Override
    public long hash(List<byte[]> pieces) {
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
    public long hash(byte[] bytes, int from, int length) {
      return hasher.hash((long) EIGHT_BYTES.get(bytes, from));
    }

    @Override
    public long hash(List<byte[]> pieces) {
      throw new IllegalStateException("eight bytes must be in one piece");
    }
  }
}
