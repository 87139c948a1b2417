package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;

/**
 * The filter of ORC and of Hive's {@code BloomFilter}: the same bits in three serializations. From
 * Hive 2.5 on, each position is one step further.
 */
final class HiveTable extends ForeignTable {

  private final boolean stepFirst;

  private HiveTable(boolean stepFirst, int probes, long[] words) {
    super(words, probes);
    this.stepFirst = stepFirst;
  }

  static HiveTable readHive(boolean inWords, ForeignInput in) throws IOException {
    int probes = (byte) in.u8();
    in.require(probes >= 1, 0, "hash functions must be 1 to 127", probes);
    int length = in.i32(BIG_ENDIAN);
    in.require(inWords || length % 64 == 0, 1, "bits must be a multiple of 64", length);
    return new HiveTable(inWords, probes, in.words(inWords ? length : length / 64, BIG_ENDIAN, 1));
  }

  /** Reads a protobuf message, which ends with the input. */
  static HiveTable readOrc(boolean utf8, ForeignInput in) throws IOException {
    int probes = 0;
    WordList words = new WordList();
    for (int tag = in.next(); tag >= 0; tag = in.next()) {
      long at = in.offset();
      switch (tag) {
        case 0x08 -> {
          long value = in.varint();
          in.require(
              value >= 1 && value <= MAX_PROBES, at, "hash functions must be 1 to 255", value);
          probes = (int) value;
        }
        case 0x11 -> words.add(in.i64(LITTLE_ENDIAN));
        case 0x12, 0x1a -> {
          long length = in.varint();
          in.require(length % 8 == 0, at, "bytes of the table must be a multiple of 8", length);
          in.require(words.isEmpty(), at, "there must be one table, words before", words.size());
          words.addAll(in.words(length / 8, LITTLE_ENDIAN, at));
        }
        default -> throw in.refusal(at - 1, "has an unknown field, of tag " + tag);
      }
      in.require(
          tag == 0x08 || utf8 == (tag == 0x1a),
          at - 1,
          "the table must be field " + (utf8 ? "3 (orc-utf8)" : "2 (orc)") + "; field",
          tag >>> 3);
    }
    in.require(probes > 0, in.offset(), "hash functions must be 1 to 255", probes);
    in.require(!words.isEmpty(), in.offset(), "words must be at least 1", 0);
    return new HiveTable(false, probes, words.toArray());
  }

  static HiveTable create(boolean stepFirst, ForeignParameters asked) {
    long bits = (long) bitsFor(asked.keys(), asked.rate());
    // One more word if the number of bits is a multiple of 64; the number of probes is for
    // all words.
    long[] words = asked.table(bits - bits % 64 + 64.0, Integer.MAX_VALUE);
    long probes = Math.max(1, Math.round(64.0 * words.length / asked.keys() * Math.log(2)));
    return new HiveTable(stepFirst, asked.probes(probes, Byte.MAX_VALUE), words);
  }

  @Override
  boolean visit(Item item, boolean put) {
    long hash = Hashes.hive(item);
    int b = (int) (hash >>> 32);
    int c = (int) hash + (stepFirst ? b : 0);
    long bits = bits();
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      c += b;
      all &= bit(words, flip(c) % bits, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  private long length() {
    return stepFirst ? words.length : bits();
  }

  @Override
  void checkWritable(ForeignFormat format) {
    boolean isOrc = format == ForeignFormat.ORC || format == ForeignFormat.ORC_UTF8;
    if (!isOrc && (length() > Integer.MAX_VALUE || probes > Byte.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "Hive's frame must have at most 2147483647 bits and 127 hash functions, but would have "
              + words()
              + "; make a smaller one of fewer keys");
    }
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    switch (format) {
      case ORC -> {
        out.u8(0x08);
        out.varint(probes);
        for (long word : words) {
          out.u8(0x11);
          out.i64(word, LITTLE_ENDIAN);
        }
      }
      case ORC_UTF8 -> {
        out.u8(0x08);
        out.varint(probes);
        out.u8(0x1a);
        out.varint(8L * words.length);
        out.words(words, LITTLE_ENDIAN);
      }
      default -> {
        out.u8(probes);
        out.i32(length(), BIG_ENDIAN);
        out.words(words, BIG_ENDIAN);
      }
    }
  }

  @Override
  boolean has32BitPositions() {
    return true;
  }

  @Override
  String words() {
    return say("%d hash functions, %d bits", probes, bits());
  }

  @Override
  ForeignTable copy() {
    return new HiveTable(stepFirst, probes, words.clone());
  }
}
