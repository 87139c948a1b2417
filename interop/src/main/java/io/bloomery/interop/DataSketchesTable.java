package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;

/**
 * The filter of Apache DataSketches, which stores its seed and, if they were counted, the number of
 * its set bits.
 */
final class DataSketchesTable extends ForeignTable {

  private static final int FAMILY = 21;
  private static final int EMPTY = 4;
  private static final long NOT_COUNTED = -1;

  /**
   * The Java version truncates positions to 32 bits, so that larger tables are not used correctly.
   */
  private static final long MAX_WORDS = 1L << 26;

  private final long seed;
  private boolean counted;

  private DataSketchesTable(long seed, boolean counted, int probes, long[] words) {
    super(words, probes);
    this.seed = seed;
    this.counted = counted;
  }

  static DataSketchesTable read(ForeignInput in) throws IOException {
    int preamble = in.u8();
    in.require(preamble == 3 || preamble == 4, 0, "preamble must be 3 or 4 longs", preamble);
    int version = in.u8();
    in.require(version == 1, 1, "serial version must be 1", version);
    int family = in.u8();
    in.require(family == FAMILY, 2, "family must be 21", family);
    boolean empty = (in.u8() & EMPTY) != 0;
    in.require(empty == (preamble == 3), 3, "only empty filters have 3 longs; longs", preamble);
    int probes = in.i16(LITTLE_ENDIAN);
    in.require(probes >= 1 && probes <= MAX_PROBES, 4, "hash functions must be 1 to 255", probes);
    in.i16(LITTLE_ENDIAN);
    long seed = in.i64(LITTLE_ENDIAN);
    int count = in.i32(LITTLE_ENDIAN);
    in.require(count > 0 && count <= MAX_WORDS, 16, "words must be 1 to " + MAX_WORDS, count);
    in.i32(LITTLE_ENDIAN);
    if (empty) {
      in.checkSize(8L * count, 16);
      // The only length without bytes of the table to confirm it: accepted only up to a limit.
      in.require(
          count <= ForeignFormat.MAX_WORDS_OF_EMPTY,
          16,
          "an empty filter must have few words",
          count);
      return new DataSketchesTable(seed, true, probes, new long[count]);
    }
    long set = in.i64(LITTLE_ENDIAN);
    long[] words = in.words(count, LITTLE_ENDIAN, 16);
    long found = count(words, 0, count);
    in.require(set == NOT_COUNTED || set == found, 24, "set bits must be " + found + " or -1", set);
    return new DataSketchesTable(seed, set != NOT_COUNTED, probes, words);
  }

  static DataSketchesTable create(ForeignParameters asked) {
    double bits = Math.ceil(bitsFor(asked.keys(), asked.rate()));
    long probes = (long) Math.max(1, Math.ceil(bits / asked.keys() * Math.log(2)));
    long[] words = asked.table(bits, 64 * MAX_WORDS);
    return new DataSketchesTable(asked.seedOr(9001), true, asked.probes(probes, MAX_PROBES), words);
  }

  @Override
  boolean visit(Item item, boolean put) {
    long h0 = Hashes.xxh64(item, seed);
    long h1 = Hashes.xxh64(item, h0);
    long bits = bits();
    boolean all = true;
    long c = h0;
    for (int i = 0; i < probes; i++) {
      c += h1;
      all &= bit(words, (c >>> 1) % bits, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  boolean put(Item item) {
    counted = true; // a filter that is put into is written with its count
    return super.put(item);
  }

  @Override
  void putAll(ForeignTable other) {
    counted = true; // as its system does
    super.putAll(other);
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    long set = setBits();
    out.u8(set == 0 ? 3 : 4);
    out.u8(1);
    out.u8(FAMILY);
    out.u8(set == 0 ? EMPTY : 0);
    out.i16(probes, LITTLE_ENDIAN);
    out.i16(0, LITTLE_ENDIAN);
    out.i64(seed, LITTLE_ENDIAN);
    out.i32(words.length, LITTLE_ENDIAN);
    out.i32(0, LITTLE_ENDIAN);
    if (set != 0) {
      out.i64(counted ? set : NOT_COUNTED, LITTLE_ENDIAN);
      out.words(words, LITTLE_ENDIAN);
    }
  }

  @Override
  String words() {
    return say("seed %d, %d hash functions, %d bits", seed, probes, bits());
  }

  @Override
  ForeignTable copy() {
    return new DataSketchesTable(seed, counted, probes, words.clone());
  }
}
