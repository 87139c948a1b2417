package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.util.BitSet;

/**
 * Parquet's split-block filter: for each key one bit in each of the eight lanes of a 256-bit block.
 */
final class ParquetTable extends ForeignTable {

  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };
  static final int WORDS_OF_BLOCK = 4;
  private static final int MAX_HEADER = 1 << 16;
  private static final long MAX_CREATED = 128L << 20;

  private ParquetTable(long[] words) {
    super(words, SALT.length);
  }

  /** Reads the header, a struct of Thrift's compact protocol, and the blocks. */
  static ParquetTable readFramed(ForeignInput in) throws IOException {
    long start = in.offset();
    long[] bytes = {0, start};
    int[] seen = {0};
    ThriftInput thrift = new ThriftInput(in, MAX_HEADER);
    thrift.struct(
        (field, type) -> {
          long at = in.offset();
          if (field == 1 && type == ThriftInput.I32) {
            bytes[0] = thrift.zigzag();
            bytes[1] = at;
          } else if (field >= 2 && field <= 4 && type == ThriftInput.STRUCT) {
            readUnion(thrift, in, field);
          } else {
            return false; // of later versions
          }
          seen[0] |= 1 << field;
          return true;
        });
    in.require(
        seen[0] == 0b11110, start, "header must have fields 1 to 4 (bits of those found)", seen[0]);
    long size = bytes[0];
    in.require(
        size >= 32 && size <= Integer.MAX_VALUE && size % 32 == 0,
        bytes[1],
        "bytes must be a multiple of 32",
        size);
    return new ParquetTable(in.words(size / 8, LITTLE_ENDIAN, bytes[1]));
  }

  /** Reads a union, which must be its first member, a struct: the only one that there is. */
  private static void readUnion(ThriftInput thrift, ForeignInput in, int field) throws IOException {
    long at = in.offset();
    thrift.struct(
        (member, type) -> {
          in.require(
              member == 1 && type == ThriftInput.STRUCT,
              at,
              "field " + field + " must be the first of its union",
              member << 4 | type);
          return false;
        });
    in.require(in.offset() > at + 1, at, "a union must have one member", 0);
  }

  /** Reads blocks to the end of the input, as their number is not stored. */
  static ParquetTable readBare(ForeignInput in) throws IOException {
    long[] words = in.wordsToEnd(LITTLE_ENDIAN);
    in.require(
        words.length > 0 && words.length % WORDS_OF_BLOCK == 0,
        in.offset(),
        "bytes must be a multiple of 32, at least 32",
        8L * words.length);
    return new ParquetTable(words);
  }

  static ParquetTable create(ForeignParameters asked) {
    if (asked.hasBits()) {
      long[] words = asked.table(0);
      asked.requireProbes(SALT.length);
      if (words.length % WORDS_OF_BLOCK != 0) {
        throw new IllegalArgumentException(
            "bits must be a multiple of 256, but was " + 64L * words.length);
      }
      return new ParquetTable(words);
    }
    double bits = -8.0 * asked.keys() / Math.log1p(-Math.pow(asked.rate(), 1.0 / 8));
    // Not exact rounding to 256, but the formula of parquet-java.
    long bytes = ((long) Math.min(bits, 8.0 * MAX_CREATED) + 255 & ~256L) / 8;
    bytes = Math.max(32, Math.min(MAX_CREATED, bytes));
    long power = Long.highestOneBit(bytes);
    return new ParquetTable(table(8.0 * (power == bytes ? bytes : 2 * power)));
  }

  private static boolean contains(long[] words, long hash) {
    return blockContains(words, block(words, hash), (int) hash);
  }

  /** Sets the bits of the tables that contain a hash. */
  static void select(long[][] tables, long hash, BitSet selected) {
    long first = bitsIn((int) hash, 0);
    long second = bitsIn((int) hash, 2);
    long third = bitsIn((int) hash, 4);
    long fourth = bitsIn((int) hash, 6);
    for (int i = 0; i < tables.length; i++) {
      long[] words = tables[i];
      int at = block(words, hash);
      long missing = (first & ~words[at]) | (second & ~words[at + 1]);
      if ((missing | (third & ~words[at + 2]) | (fourth & ~words[at + 3])) == 0) {
        selected.set(i);
      }
    }
  }

  /** Returns the bits of a key in the word of a lane and the next, one in each. */
  private static long bitsIn(int key, int lane) {
    return 1L << ((key * SALT[lane]) >>> 27) | 1L << (32 + ((key * SALT[lane + 1]) >>> 27));
  }

  private static int block(long[] words, long hash) {
    long blocks = words.length / WORDS_OF_BLOCK;
    return (int) (((hash >>> 32) * blocks) >>> 32) * WORDS_OF_BLOCK;
  }

  /** Tests the bits of a key in the block that begins at word {@code at}. */
  static boolean blockContains(long[] words, int at, int key) {
    for (int lane = 0; lane < SALT.length; lane += 2) {
      long bits = bitsIn(key, lane);
      if ((words[at + lane / 2] & bits) != bits) {
        return false;
      }
    }
    return true;
  }

  /** Sets the bits of a key in the block that begins at word {@code at}. */
  static void putIntoBlock(long[] words, int at, int key) {
    for (int lane = 0; lane < SALT.length; lane += 2) {
      words[at + lane / 2] |= bitsIn(key, lane);
    }
  }

  static long hash(Item item) {
    return Hashes.xxh64(item, 0);
  }

  @Override
  boolean visit(Item item, boolean put) {
    long hash = hash(item);
    boolean all = contains(words, hash);
    if (put && !all) {
      putIntoBlock(words, block(words, hash), (int) hash);
    }
    return all;
  }

  @Override
  void checkWritable(ForeignFormat format) {
    if (format == ForeignFormat.PARQUET && 8L * words.length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a framed Parquet filter must have at most 2147483647 bytes, but would have "
              + 8L * words.length
              + "; write it as parquet-bitset");
    }
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.PARQUET) {
      out.u8(0x15);
      out.varint(16L * words.length); // zigzag doubles
      out.bytes(new byte[] {0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0});
    }
    out.words(words, LITTLE_ENDIAN);
  }

  @Override
  double rate() {
    return rateOfLanes(words);
  }

  /** Returns the false positive rate of blocks in which a key has a bit in each of eight lanes. */
  static double rateOfLanes(long[] words) {
    double sum = 0;
    for (int i = 0; i < words.length; i += WORDS_OF_BLOCK) {
      double product = 1;
      for (int j = 0; j < WORDS_OF_BLOCK; j++) {
        product *= Integer.bitCount((int) words[i + j]) / 32.0;
        product *= Integer.bitCount((int) (words[i + j] >>> 32)) / 32.0;
      }
      sum += product;
    }
    return sum * WORDS_OF_BLOCK / words.length;
  }

  @Override
  double excess(double keys, double fill) {
    return 0;
  }

  @Override
  String words() {
    return say("%d blocks of 256 bits", words.length / WORDS_OF_BLOCK);
  }

  @Override
  ForeignTable copy() {
    return new ParquetTable(words.clone());
  }
}
