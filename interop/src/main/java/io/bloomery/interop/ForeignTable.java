package io.bloomery.interop;

import java.io.IOException;
import java.util.Locale;

/**
 * The bits of a foreign filter and how an item finds its own: one subclass for each way. A hot loop
 * both asks and puts, so that the two cannot differ.
 */
abstract class ForeignTable {

  /** More probes than any peer makes; files that ask for 2^40 have killed theirs. */
  static final int MAX_PROBES = 255;

  static final long MAX_BITS = 64L * (Integer.MAX_VALUE - 8);

  long[] words;
  int probes;

  ForeignTable(long[] words, int probes) {
    this.words = words;
    this.probes = probes;
  }

  /**
   * Goes through the bits of an item until one is not set, or sets all of them.
   *
   * @return whether all of them were set before
   */
  abstract boolean visit(Item item, boolean put);

  /** Puts an item, and returns whether that changed anything. */
  boolean put(Item item) {
    return !visit(item, true);
  }

  /** Writes the whole filter as a format that this table can be written as. */
  abstract void write(ForeignOutput out, ForeignFormat format) throws IOException;

  /** Returns the format that a table has which was read as another one that allows both. */
  ForeignFormat labelled(ForeignFormat named) {
    return named;
  }

  /**
   * Looks whether this table has a form in a format.
   *
   * @throws IllegalArgumentException if it has none
   */
  void checkWritable(ForeignFormat format) {}

  /** Says in words what the header has. */
  abstract String words();

  /** Returns an independent copy. */
  abstract ForeignTable copy();

  /** Returns how many bits queries look at. */
  long bits() {
    return 64L * words.length;
  }

  long setBits() {
    return count(words, 0, words.length);
  }

  /** Returns the rate for absent keys, from the bits as they are. */
  double rate() {
    return Math.pow((double) setBits() / bits(), probes);
  }

  /** Returns how many keys have set the bits, estimated, or infinity. */
  double keys() {
    double bits = bits();
    return Math.log1p(-setBits() / bits) / (probes * Math.log1p(-1 / bits));
  }

  /** Returns how many keys the filter was made for, if its bytes say so, else 0. */
  double capacity() {
    return 0;
  }

  /** Returns the rate it was made for, if its bytes say so, else 0. */
  double promisedRate() {
    return 0;
  }

  /** Returns whether more keys make it grow. */
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

  /** Returns the average over blocks of the share of set bits to the power of the probes. */
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

  /** Returns {@code -n ln p / ln^2 2}, the bits of a filter of n keys, before rounding. */
  static double bitsFor(long keys, double rate) {
    return -keys * Math.log(rate) / (Math.log(2) * Math.log(2));
  }

  /** Returns zeros for so many bits, rounded up to words. */
  static long[] table(double bits) {
    if (!(bits <= MAX_BITS)) {
      throw new IllegalArgumentException(
          "a table must have at most " + MAX_BITS + " bits, but needs " + bits);
    }
    return new long[(int) Math.max(1, ((long) bits + 63) / 64)];
  }
}
