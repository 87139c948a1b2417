package io.bloomery.counting;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pairs of bits that a key with two positions in a word has there: 32 distances, each turned to
 * one of 64 places, and what follows from them for the rate.
 *
 * <p>Pair n is bits 0 and n + 1. A distance above 32 is one below, turned, so that these are all
 * pairs that there are, those of distance 32 twice as often as others. A key has the same pair in
 * both words, turned in each by itself: one for each word would save 0.1 % of the bits.
 */
final class Pairs {

  /** How many there are, without their turns: a power of two. */
  static final int COUNT = 32;

  private static final int BITS = 2;

  // Places of a key in a block: a pair, and a turn in each word.
  private static final double PLACES = COUNT * (double) Long.SIZE * Long.SIZE;

  private Pairs() {}

  /** Returns how far the bits of a pair lie apart. Part of the file format. */
  static int distance(int number) {
    return number + 1;
  }

  private static long pair(int number) {
    return 1L | 1L << distance(number);
  }

  /** Returns all pairs before they are turned, by their numbers. */
  static long[] all() {
    long[] pairs = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      pairs[i] = pair(i);
    }
    return pairs;
  }

  /**
   * Returns the rate of a block after 0, 1, 2 and so on keys.
   *
   * <p>All bits of a query are set unless one of them is not: by inclusion and exclusion, the
   * chance is a sum of terms, plus or minus, over the subsets of its bits in either word, each the
   * chance that no key has set any bit of them. A key of a given pair leaves a subset clear with
   * the share of turns that have no bit of it, in either word by itself. The mean over pairs is
   * what one key leaves clear, and a power of it what all leave.
   */
  static double[] ratesInBlock(int count) {
    SortedMap<Integer, Integer> terms = new TreeMap<>(); // by what a key leaves clear, in PLACES
    for (int i = 0; i < COUNT; i++) {
      addTerms(clearTurnsBySubset(pair(i)), terms);
    }
    double[] rates = new double[count];
    terms.forEach(
        (clear, times) -> {
          double none = clear / PLACES;
          double term = (double) times / COUNT;
          for (int keys = 0; keys < count; keys++) {
            rates[keys] += term;
            term *= none;
          }
        });
    rates[0] = 0; // of a sum that is not, by its rounding
    return rates;
  }

  /** Returns how many turns of each pair have no bit of each subset of two bits. */
  private static int[][] clearTurnsBySubset(long bits) {
    long low = Long.lowestOneBit(bits);
    long[] subsets = {0, low, bits ^ low, bits}; // those at 1 and 2 are of one bit
    int[][] turns = new int[1 << BITS][COUNT];
    for (int subset = 0; subset < subsets.length; subset++) {
      for (int i = 0; i < COUNT; i++) {
        for (int turn = 0; turn < Long.SIZE; turn++) {
          boolean clear = (Long.rotateLeft(pair(i), turn) & subsets[subset]) == 0;
          turns[subset][i] += clear ? 1 : 0;
        }
      }
    }
    return turns;
  }

  /** Adds 1 or -1 for each two subsets, one in each word, at what a key leaves clear of both. */
  private static void addTerms(int[][] clearTurns, SortedMap<Integer, Integer> terms) {
    for (int a = 0; a < clearTurns.length; a++) {
      for (int b = 0; b < clearTurns.length; b++) {
        int clear = 0;
        for (int i = 0; i < COUNT; i++) {
          clear += clearTurns[a][i] * clearTurns[b][i];
        }
        terms.merge(clear, Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1, Integer::sum);
      }
    }
  }

  /** Returns the share of hashes of a block that are found in its words. */
  static double rate(long first, long second) {
    int found = 0;
    for (int i = 0; i < COUNT; i++) {
      found += turnsFound(i, first) * turnsFound(i, second);
    }
    return found / PLACES;
  }

  /** Returns how many turns of a pair are found in a word. */
  private static int turnsFound(int number, long word) {
    // Bit j is left if the pair that begins at j is there.
    return Long.bitCount(word & Long.rotateRight(word, distance(number)));
  }

  /**
   * Returns how many keys have probably set so many bits of a block, by the number of bits; with
   * all bits set, as if half a bit were clear.
   *
   * <p>A bit stays clear of a key with {@code 1 - 2/64}, so that the share of clear bits tells the
   * keys. That alone would be too many, since the logarithm is curved and the share scatters around
   * its mean c: by its variance over {@code 2 c^2}, in logarithms. Two bits of a word are both
   * clear of a key with {@code s = 1 - 4/64 + 1/2016} on average, and bits of both words do not
   * depend on each other, so that after i keys the variance is {@code (c (1 - c) + 63 (s^i - c^2))
   * / 128}.
   */
  static double[] keysInBlock() {
    double[] keys = new double[CountingLayout.BLOCK_BITS + 1];
    double perKey = -StrictMath.log1p(-2.0 / Long.SIZE);
    for (int set = 0; set < keys.length; set++) {
      double clear = Math.max(0.5, CountingLayout.BLOCK_BITS - set) / CountingLayout.BLOCK_BITS;
      double most = -StrictMath.log(clear) / perKey;
      double sameWord = StrictMath.pow(1 - 4.0 / 64 + 1.0 / 2016, most);
      double square = clear * clear;
      double variance =
          (clear * (1 - clear) + 63 * (sameWord - square)) / CountingLayout.BLOCK_BITS;
      keys[set] = most - variance / (2 * square * perKey);
    }
    return keys;
  }
}
