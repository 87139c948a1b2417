package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;

/**
 * The Bloom filter of a file index of Paimon: the number of probes and the bits, alone or in an
 * index file that has no other filter, whose other bytes are kept.
 */
final class PaimonTable extends ForeignTable {

  /** Paimon takes a byte of 128 or more for a negative number of hash functions. */
  private static final int MAX_HASHES = 127;

  private final long bytes;
  private final byte[] before;
  private final byte[] after;

  private PaimonTable(int probes, long bytes, long[] words, byte[] before, byte[] after) {
    super(words, probes);
    this.bytes = bytes;
    this.before = before;
    this.after = after;
  }

  static PaimonTable read(ForeignInput in) throws IOException {
    int start = in.i32(BIG_ENDIAN);
    if (start == PaimonIndexFile.MAGIC >>> Integer.SIZE) {
      PaimonIndexFile.Only only = PaimonIndexFile.only(in);
      long at = in.offset();
      int probes = probes(in.i32(BIG_ENDIAN), at, in);
      long[] words = in.wordsOfBytes(only.bytes(), at);
      byte[] after = PaimonIndexFile.rest(only, in);
      return new PaimonTable(probes, only.bytes(), words, only.before(), after);
    }
    return readAlone(start, 0, in);
  }

  /** Reads a filter without what surrounds it. */
  static PaimonTable readAlone(ForeignInput in) throws IOException {
    long at = in.offset();
    return readAlone(in.i32(BIG_ENDIAN), at, in);
  }

  private static PaimonTable readAlone(int read, long start, ForeignInput in) throws IOException {
    int probes = probes(read, start, in);
    long at = in.offset();
    WordList words = new WordList();
    long word = 0;
    long bytes = 0;
    for (int b = in.next(); b >= 0; b = in.next()) {
      word |= (long) b << (8 * (bytes++ & 7));
      if ((bytes & 7) == 0) {
        in.checkSize(bytes, at);
        in.require(bytes <= Integer.MAX_VALUE / 8, at, "bits must be at most 2^31 - 1", 8 * bytes);
        words.add(word);
        word = 0;
      }
    }
    in.require(bytes > 0, at, "bytes of the table must be at least 1", bytes);
    if ((bytes & 7) != 0) {
      words.add(word);
    }
    return new PaimonTable(probes, bytes, words.toArray(), new byte[0], new byte[0]);
  }

  /** Returns the filter of a column without values. */
  static PaimonTable empty() {
    return new PaimonTable(1, 1, new long[1], new byte[0], new byte[0]);
  }

  private static int probes(int read, long at, ForeignInput in) throws IOException {
    in.require(read >= 1 && read <= MAX_HASHES, at, "hash functions must be 1 to 127", read);
    return read;
  }

  static PaimonTable create(ForeignParameters asked) {
    double wanted = Math.floor(bitsFor(asked.keys(), asked.rate()));
    // One more byte if the number of bits is a multiple of 8.
    double bits = asked.hasBits() ? (double) asked.bits() : wanted - wanted % 8 + 8;
    long bytes = (long) Math.ceil(bits / 8);
    long probes = Math.max(1, Math.round(8.0 * bytes / asked.keys() * Math.log(2)));
    return new PaimonTable(
        asked.probes(probes, MAX_HASHES),
        bytes,
        asked.table(bits, Integer.MAX_VALUE),
        new byte[0],
        new byte[0]);
  }

  @Override
  boolean visit(Item item, boolean put) {
    long hash = item.isLong ? Hashes.wang64(item.value) : Hashes.xxh64(item, 0);
    int c = (int) hash;
    long bits = bits();
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      c += (int) (hash >>> 32);
      all &= bit(words, flip(c) % bits, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.bytes(before);
    out.i32(probes, BIG_ENDIAN);
    out.bytes(words, 0, bytes);
    out.bytes(after);
  }

  @Override
  long bits() {
    return 8 * bytes;
  }

  @Override
  boolean has32BitPositions() {
    return true;
  }

  @Override
  String layout() {
    return say("%d hash functions, %d bits", probes, bits());
  }

  @Override
  String words() {
    return layout() + (before.length == 0 ? "" : ", in an index file");
  }

  @Override
  ForeignTable copy() {
    return new PaimonTable(probes, bytes, words.clone(), before, after);
  }
}
