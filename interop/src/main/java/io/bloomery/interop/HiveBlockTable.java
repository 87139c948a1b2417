package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;

/** Hive's {@code BloomKFilter}: all bits of an item in one block of eight words. */
final class HiveBlockTable extends ForeignTable {

  private static final int WORDS_OF_BLOCK = 8;

  private HiveBlockTable(int probes, long[] words) {
    super(words, probes);
  }

  static HiveBlockTable read(ForeignInput in) throws IOException {
    int probes = (byte) in.u8();
    in.require(probes >= 1, 0, "hash functions must be 1 to 127", probes);
    int count = in.i32(BIG_ENDIAN);
    in.require(count % WORDS_OF_BLOCK == 0, 1, "words must be a multiple of 8", count);
    return new HiveBlockTable(probes, in.words(count, BIG_ENDIAN, 1));
  }

  static HiveBlockTable create(ForeignParameters asked) {
    if (!asked.hasBits() && asked.rate() != 0.05) {
      throw new IllegalArgumentException(
          "hive-bloomk makes filters of rate 0.05 alone, but "
              + asked.rate()
              + " is asked for; ask for 0.05");
    }
    long bits = (long) bitsFor(asked.keys(), asked.rate());
    long probes = Math.max(1, Math.round((double) bits / asked.keys() * Math.log(2)));
    long[] words = asked.table((double) bits);
    // Hive adds a block if the words fill their blocks exactly.
    int blocks =
        asked.hasBits()
            ? (words.length + WORDS_OF_BLOCK - 1) / WORDS_OF_BLOCK
            : words.length / WORDS_OF_BLOCK + 1;
    return new HiveBlockTable(
        asked.probes(probes, Byte.MAX_VALUE), table(64.0 * WORDS_OF_BLOCK * blocks));
  }

  @Override
  boolean visit(Item item, boolean put) {
    long hash = Hashes.hive(item);
    int a = (int) hash;
    int b = (int) (hash >>> 32);
    int at = flip(a + b) % (words.length / WORDS_OF_BLOCK) * WORDS_OF_BLOCK;
    int step = a + b;
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      step += b;
      int c = flip(step);
      all &= bit(words, 64L * (at + (c & 7)) + (c >>> 3 & 63), put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.DRUID) {
      Base64Text.write(out, this::write);
    } else {
      write(out);
    }
  }

  private void write(ForeignOutput out) throws IOException {
    out.u8(probes);
    out.i32(words.length, BIG_ENDIAN);
    out.words(words, BIG_ENDIAN);
  }

  @Override
  double rate() {
    return rateOfBlocks(WORDS_OF_BLOCK);
  }

  @Override
  double excess(double keys, double fill) {
    return 1; // each block is small, however many there are
  }

  @Override
  String words() {
    return say("%d hash functions, %d blocks of 512 bits", probes, words.length / WORDS_OF_BLOCK);
  }

  @Override
  ForeignTable copy() {
    return new HiveBlockTable(probes, words.clone());
  }
}
