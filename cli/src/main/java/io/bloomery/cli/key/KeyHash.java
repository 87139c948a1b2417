package io.bloomery.cli.key;

import io.bloomery.hash.BytesKeyHasher;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /**
   * Returns the same function for keys of several fields, of each of which this hashes the bytes.
   */
  final KeyHash ofFields(int count) {
    String fields = Stream.generate(() -> "utf8").limit(count).collect(Collectors.joining(","));
    return new Fields(this, id.replaceFirst("/utf8", "/(" + fields + ")"));
  }

  private static final class Fields extends KeyHash {

    private final KeyHash joined;

    Fields(KeyHash joined, String id) {
      super(id);
      this.joined = joined;
    }

    @Override
    public long hash(byte[] bytes, int from, int length) {
      return joined.hash(bytes, from, length);
    }

    @Override
    public long hash(List<byte[]> pieces) {
      return joined.hash(pieces);
    }
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
