package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;
import java.util.Arrays;

/**
 * Hadoop's BloomFilter, and its DynamicBloomFilter: a list of such filters, its rows, of which the
 * last takes a number of keys before the next begins.
 */
final class HadoopTable extends ForeignTable {

  private static final int HASHES_OF_MAP_FILE = 5;

  private final HadoopHeader header;

  /** The number of keys of a row, or 0 for a BloomFilter. */
  private final int keysOfRow;

  private int keysOfLast;

  private HadoopTable(HadoopHeader header, int keysOfRow, int keysOfLast, long[] words) {
    super(words, header.probes());
    this.header = header;
    this.keysOfRow = keysOfRow;
    this.keysOfLast = keysOfLast;
  }

  static HadoopTable read(ForeignInput in) throws IOException {
    HadoopHeader header = HadoopHeader.read(in);
    return new HadoopTable(header, 0, 0, row(header, in));
  }

  static HadoopTable readDynamic(ForeignInput in) throws IOException {
    HadoopHeader header = HadoopHeader.read(in);
    long at = in.offset();
    int keysOfRow = in.i32(BIG_ENDIAN);
    in.require(keysOfRow >= 1, at, "keys of a row must be at least 1", keysOfRow);
    int keysOfLast = in.i32(BIG_ENDIAN);
    in.require(keysOfLast >= 0, at + 4, "keys of the last row must be at least 0", keysOfLast);
    int rows = in.i32(BIG_ENDIAN);
    in.require(rows >= 1, at + 8, "rows must be at least 1", rows);
    long all = (long) rows * header.stride();
    in.require(all <= MAX_BITS / 64, at + 8, "rows must fit into " + MAX_BITS + " bits", rows);
    in.checkSize(8 * all, at + 8);
    long[] words = {};
    for (int row = 0; row < rows; row++) {
      long start = in.offset();
      if (!HadoopHeader.read(in).equals(header)) {
        throw in.refusal(start, "each row must have the hash functions and bits of the whole");
      }
      long[] next = row(header, in);
      int end = (row + 1) * next.length;
      if (end > words.length) {
        words = Arrays.copyOf(words, (int) Math.min(all, 2L * end));
      }
      System.arraycopy(next, 0, words, end - next.length, next.length);
    }
    return new HadoopTable(header, keysOfRow, keysOfLast, Arrays.copyOf(words, (int) all));
  }

  private static long[] row(HadoopHeader header, ForeignInput in) throws IOException {
    long[] words = in.wordsOfBytes(header.bytes(), in.offset() - 4);
    int used = header.size() % 64;
    long beyond = used == 0 ? 0 : words[words.length - 1] >>> used;
    in.require(beyond == 0, in.offset() - 1, "bits after the last must be 0", beyond);
    return words;
  }

  static HadoopTable create(int hash, ForeignParameters asked) {
    HadoopHeader header = HadoopHeader.create(hash, asked);
    return new HadoopTable(header, 0, 0, new long[header.stride()]);
  }

  /** Creates a filter of the size that BloomMapFile computes, with its five hash functions. */
  static HadoopTable createDynamic(ForeignParameters asked) {
    double fill = Math.pow((float) asked.rate(), 1.0 / HASHES_OF_MAP_FILE);
    double bits = -HASHES_OF_MAP_FILE * (double) asked.keys() / Math.log(1 - fill);
    return createDynamic(
        HadoopHeader.create(HadoopHeader.MURMUR, bits, HASHES_OF_MAP_FILE, asked), asked);
  }

  static HadoopTable createHudiDynamic(ForeignParameters asked) {
    return createDynamic(HadoopHeader.create(HadoopHeader.MURMUR, asked), asked);
  }

  private static HadoopTable createDynamic(HadoopHeader header, ForeignParameters asked) {
    int keysOfRow = (int) Math.min(Integer.MAX_VALUE, asked.keys());
    return new HadoopTable(header, keysOfRow, 0, new long[header.stride()]);
  }

  @Override
  boolean visit(Item item, boolean put) {
    if (!HadoopHeader.takes(item, put)) {
      return false;
    }
    int stride = header.stride();
    boolean found = false;
    for (int start = 0; !found && start < words.length; start += stride) {
      found = visit(item, start, false);
    }
    if (put) {
      if (grows() && keysOfLast >= keysOfRow) {
        words = Arrays.copyOf(words, Math.addExact(words.length, stride));
        keysOfLast = 0;
      }
      visit(item, words.length - stride, true);
      keysOfLast++;
    }
    return found;
  }

  /** Visits the row that begins with a word. */
  private boolean visit(Item item, int start, boolean put) {
    int hash = 0;
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      hash = header.next(item, hash);
      all &= bit(words, 64L * start + header.position(hash), put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  String layout() {
    return header.words() + (grows() ? say("bits in each row of %d keys", keysOfRow) : "bits");
  }

  /** Adds the rows of the other before the last of this, or into it where keys of both fit. */
  @Override
  void putAll(ForeignTable other) {
    HadoopTable added = (HadoopTable) other;
    boolean fits = !grows() || (long) keysOfLast + added.keysOfLast <= keysOfRow;
    int before = added.words.length - (fits ? header.stride() : 0);
    long[] all = new long[Math.addExact(before, words.length)];
    System.arraycopy(added.words, 0, all, 0, before);
    System.arraycopy(words, 0, all, before, words.length);
    if (fits) {
      int last = all.length - header.stride();
      for (int i = 0; i < header.stride(); i++) {
        all[last + i] |= added.words[before + i];
      }
      keysOfLast += added.keysOfLast;
    }
    words = all;
  }

  @Override
  ForeignFormat labelled(ForeignFormat named) {
    return switch (named) {
      case HADOOP, HADOOP_JENKINS ->
          header.hash() == HadoopHeader.JENKINS
              ? ForeignFormat.HADOOP_JENKINS
              : ForeignFormat.HADOOP;
      default -> named;
    };
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.HUDI || format == ForeignFormat.HUDI_DYNAMIC) {
      Base64Text.write(out, this::write);
    } else {
      write(out);
    }
  }

  private void write(ForeignOutput out) throws IOException {
    header.write(out);
    if (grows()) {
      out.i32(keysOfRow, BIG_ENDIAN);
      out.i32(keysOfLast, BIG_ENDIAN);
      out.i32(rows(), BIG_ENDIAN);
    }
    for (int row = 0; row < rows(); row++) {
      if (grows()) {
        header.write(out);
      }
      out.bytes(words, row * header.stride(), header.bytes());
    }
  }

  private int rows() {
    return words.length / header.stride();
  }

  @Override
  long bits() {
    return (long) rows() * header.size();
  }

  @Override
  double rate() {
    double none = 1;
    for (int row = 0; row < rows(); row++) {
      none *= 1 - Math.pow((double) setBits(row) / header.size(), probes);
    }
    return 1 - none;
  }

  private long setBits(int row) {
    int start = row * header.stride();
    return count(words, start, start + header.stride());
  }

  @Override
  double keys() {
    double keys = 0;
    for (int row = 0; row < rows(); row++) {
      double bits = header.size();
      keys += Math.log1p(-setBits(row) / bits) / (probes * Math.log1p(-1 / bits));
    }
    return keys;
  }

  @Override
  double excess(double keys, double fill) {
    return header.excess();
  }

  @Override
  boolean grows() {
    return keysOfRow > 0;
  }

  @Override
  String words() {
    return header.words()
        + (grows()
            ? say(
                "bits in each of %d rows of %d keys, %d in the last", rows(), keysOfRow, keysOfLast)
            : "bits");
  }

  @Override
  ForeignTable copy() {
    return new HadoopTable(header, keysOfRow, keysOfLast, words.clone());
  }
}
