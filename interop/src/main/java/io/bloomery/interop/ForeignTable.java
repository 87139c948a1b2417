package io.bloomery.interop;

import java.io.IOException;
import java.util.Locale;

/**
 * The table of a foreign filter, with the positions of its items: one subclass for each algorithm.
 * Queries and puts share one loop, so that they cannot differ.
 */
abstract class ForeignTable {

  /** More probes than any peer uses; files with 2^40 have made peers fail. */
  static final int MAX_PROBES = 255;

  static final long MAX_BITS = 64L * (Integer.MAX_VALUE - 8);

  long[] words;
  int probes;

  ForeignTable(long[] words, int probes) {
    this.words = words;
    this.probes = probes;
  }

  /**
   * Tests the bits of an item until one is clear, or sets all of them.
   *
   * @return whether all of them were set before
   */
  abstract boolean visit(Item item, boolean put);

  /** Puts an item, and returns whether the table changed. */
  boolean put(Item item) {
    return !visit(item, true);
  }

  /**
   * Returns what tables must have alike to be merged: all that makes the positions of an item, and
   * what the system itself compares.
   */
  String layout() {
    return words();
  }

  /**
   * Puts all items of a table of the same layout.
   *
   * @throws IllegalArgumentException if they cannot be put; nothing is changed
   */
  void putAll(ForeignTable other) {
    setAll(words, other.words);
  }

  static void setAll(long[] words, long[] others) {
    for (int i = 0; i < others.length; i++) {
      words[i] |= others[i];
    }
  }

  /** Writes the whole filter in a format that this table supports. */
  abstract void write(ForeignOutput out, ForeignFormat format) throws IOException;

  /** Returns the actual format of a table that was read in a format that allows several. */
  ForeignFormat labelled(ForeignFormat named) {
    return named;
  }

  /**
   * Checks whether this table can be written in a format.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void checkWritable(ForeignFormat format) {}

  /** Returns a description of the header. */
  abstract String words();

  /** Returns an independent copy. */
  abstract ForeignTable copy();

  /** Returns the number of bits that queries read. */
  long bits() {
    return 64L * words.length;
  }

  long setBits() {
    return count(words, 0, words.length);
  }

  /**
   * Returns the current false positive rate, computed from the set bits as if the positions of a
   * key were independent.
   */
  double rate() {
    return Math.pow((double) setBits() / bits(), probes);
  }

  /**
   * Returns a bound, for large tables, of what the rate is higher because each position follows
   * from the one before: by steps with which positions repeat, and by those with which they run
   * through the positions of a key. 0 if each is computed from all of the hash; 1 if it is not
   * known.
   *
   * @param fill the share of set bits
   */
  double excess(double keys, double fill) {
    return has32BitPositions() && bits() > 1L << 27
        ? 1 // positions reach no further than 2^31, and are not uniform below
        : excess((double) bits(), probes, keys, fill);
  }

  static double excess(double bits, int probes, double keys, double fill) {
    // The sum of d fill^d over numbers d of different positions, each of at most d steps.
    double partly = Math.min((double) probes * probes, fill / ((1 - fill) * (1 - fill)));
    return Math.min(1, partly * (1 + 4 * Math.min(keys, bits) / bits) / bits);
  }

  /** Returns whether positions are computed with 32 bits. */
  boolean has32BitPositions() {
    return false;
  }

  /** Returns the estimated number of keys, or infinity. */
  double keys() {
    double bits = bits();
    return Math.log1p(-setBits() / bits) / (probes * Math.log1p(-1 / bits));
  }

  /** Returns the expected number of keys if the format stores it, else 0. */
  double capacity() {
    return 0;
  }

  /** Returns the requested rate if the format stores it, else 0. */
  double promisedRate() {
    return 0;
  }

  /** Returns whether the filter grows with more keys. */
  boolean grows() {
    return false;
  }

  /** Tests or sets a bit, and returns whether it was set. */
  static boolean bit(long[] words, long index, boolean put) {
    int word = (int) (index >> 6);
    long mask = 1L << index;
    boolean set = (words[word] & mask) != 0;
    if (put && !set) {
      words[word] |= mask;
    }
    return set;
  }

  static long count(long[] words, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      count += Long.bitCount(words[i]);
    }
    return count;
  }

  /**
   * Returns the mean over the blocks of the share of set bits to the power of the number of probes.
   */
  double rateOfBlocks(int wordsOfBlock) {
    double sum = 0;
    for (int i = 0; i < words.length; i += wordsOfBlock) {
      double fill = (double) count(words, i, i + wordsOfBlock) / (64 * wordsOfBlock);
      sum += Math.pow(fill, probes);
    }
    return sum * wordsOfBlock / words.length;
  }

  static int flip(int c) {
    return c < 0 ? ~c : c;
  }

  static String say(String what, Object... values) {
    return String.format(Locale.ROOT, what, values);
  }

  /** Returns {@code -n ln p / ln^2 2}, the number of bits for n keys, before rounding. */
  static double bitsFor(long keys, double rate) {
    return -keys * Math.log(rate) / (Math.log(2) * Math.log(2));
  }

  /** Returns an empty table with a number of bits, rounded up to words. */
  static long[] table(double bits) {
    if (!(bits <= MAX_BITS)) {
      throw new IllegalArgumentException(
          "a table must have at most " + MAX_BITS + " bits, but needs " + bits);
    }
    return new long[(int) Math.max(1, ((long) bits + 63) / 64)];
  }
}
