package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.filter.FilterFormatException;
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
  private static final long MAX_CREATED = 128L << 20;

  private ParquetTable(long[] words) {
    super(words, SALT.length);
  }

  /** Reads the header, a struct of Thrift's compact protocol, and the blocks. */
  static ParquetTable readFramed(ForeignInput in) throws IOException {
    long bytes = 0;
    long bytesAt = 0;
    int seen = 0;
    int field = 0;
    for (int b = in.u8(); b != 0; b = in.u8()) {
      field = b >>> 4 == 0 ? (int) zigzag(in) : field + (b >>> 4);
      int type = b & 0xf;
      long at = in.offset();
      if (field == 1 && type == 5) {
        bytes = zigzag(in);
        bytesAt = at;
      } else if (field >= 2 && field <= 4 && type == 12) {
        int member = in.u8();
        in.require(
            member == 0x1c, at, "field " + field + " must be the first of its union", member);
        skip(in, 12, 0);
        int end = in.u8();
        in.require(end == 0, in.offset() - 1, "a union must have one member", end);
      } else {
        skip(in, type, 0);
        continue;
      }
      seen |= 1 << field;
    }
    in.require(seen == 0b11110, 0, "header must have fields 1 to 4 (bits of those found)", seen);
    in.require(
        bytes >= 32 && bytes <= Integer.MAX_VALUE && bytes % 32 == 0,
        bytesAt,
        "bytes must be a multiple of 32",
        bytes);
    return new ParquetTable(in.words(bytes / 8, LITTLE_ENDIAN, bytesAt));
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

  private static long zigzag(ForeignInput in) throws IOException {
    long number = in.varint();
    return number >>> 1 ^ -(number & 1);
  }

  /** Skips a value of a Thrift type, so that fields of later versions are ignored. */
  private static void skip(ForeignInput in, int type, int depth) throws IOException {
    if (depth > 8) {
      throw in.refusal(in.offset(), "header must be at most 8 structs deep");
    }
    switch (type) {
      case 1, 2 -> {} // the value is the type
      case 3 -> in.u8();
      case 4, 5, 6 -> in.varint();
      case 7 -> in.i64(LITTLE_ENDIAN);
      case 8 -> {
        long at = in.offset();
        long length = in.varint();
        in.require(
            length >= 0 && length <= 4096, at, "a text must have at most 4096 bytes", length);
        for (int i = 0; i < length; i++) {
          in.u8();
        }
      }
      case 12 -> {
        for (int b = in.u8(); b != 0; b = in.u8()) {
          if (b >>> 4 == 0) {
            in.varint();
          }
          skip(in, b & 0xf, depth + 1);
        }
      }
      default -> throw refusedType(in, type);
    }
  }

  private static FilterFormatException refusedType(ForeignInput in, int type) {
    return in.refusal(in.offset() - 1, "header has a field of Thrift type " + type);
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
