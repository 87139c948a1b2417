package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;

/** Hadoop's CountingBloomFilter: counters of four bits, which stop at 15. */
final class HadoopCountingTable extends ForeignTable {

  private static final int COUNTERS_OF_WORD = 16;
  private static final long MOST = 15;
  private static final long LOWEST_BITS = 0x1111111111111111L;

  private final HadoopHeader header;

  private HadoopCountingTable(HadoopHeader header, long[] words) {
    super(words, header.probes());
    this.header = header;
  }

  private static int words(HadoopHeader header) {
    return (header.size() - 1) / COUNTERS_OF_WORD + 1;
  }

  static HadoopCountingTable read(ForeignInput in) throws IOException {
    HadoopHeader header = HadoopHeader.read(in);
    long[] words = in.words(words(header), BIG_ENDIAN, in.offset() - 4);
    int used = header.size() % COUNTERS_OF_WORD;
    long beyond = used == 0 ? 0 : words[words.length - 1] >>> (4 * used);
    in.require(beyond == 0, in.offset() - 8, "counters after the last must be 0", beyond);
    return new HadoopCountingTable(header, words);
  }

  static HadoopCountingTable create(ForeignParameters asked) {
    HadoopHeader header = HadoopHeader.create(HadoopHeader.MURMUR, asked);
    return new HadoopCountingTable(header, new long[words(header)]);
  }

  @Override
  boolean visit(Item item, boolean put) {
    if (!HadoopHeader.takes(item, put)) {
      return false;
    }
    int hash = 0;
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      hash = header.next(item, hash);
      int at = header.position(hash);
      int shift = 4 * (at % COUNTERS_OF_WORD);
      long counter = words[at / COUNTERS_OF_WORD] >>> shift & MOST;
      all &= counter > 0;
      if (!all && !put) {
        return false;
      }
      if (put && counter < MOST) {
        words[at / COUNTERS_OF_WORD] += 1L << shift;
      }
    }
    return all;
  }

  @Override
  void putAll(ForeignTable other) {
    for (int i = 0; i < words.length; i++) {
      long sum = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 4) {
        long counter = (words[i] >>> shift & MOST) + (other.words[i] >>> shift & MOST);
        sum |= Math.min(MOST, counter) << shift;
      }
      words[i] = sum;
    }
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    header.write(out);
    out.words(words, BIG_ENDIAN);
  }

  @Override
  long bits() {
    return header.size();
  }

  @Override
  long setBits() {
    long set = 0;
    for (long word : words) {
      long any = word | word >>> 1;
      set += Long.bitCount((any | any >>> 2) & LOWEST_BITS);
    }
    return set;
  }

  @Override
  double excess(double keys, double fill) {
    return header.excess();
  }

  @Override
  String words() {
    return header.words() + "counters of 4 bits";
  }

  @Override
  ForeignTable copy() {
    return new HadoopCountingTable(header, words.clone());
  }
}
