package io.bloomery.partitioned;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The sets of three bits that a key of a {@link TwoWordFilter} has in a word: 64 shapes, each
 * turned to one of 64 places, and what follows from them for the rate.
 *
 * <p>A shape and a turn cost fewer instructions than three numbers of bits. With 4,096 sets instead
 * of all 41,664 the filter takes 0.6 % more bits at 1 %. Shape i has bits 0, 1 + i mod 31 and 32 +
 * i / 2, so that every distance between two bits is about as frequent as any other: shapes of
 * neighbouring bits take 2 % more. A key has one shape in both words, turned in each by itself: one
 * for each word would save 0.04 % of the bits.
 */
final class TwoWordShapes {

  private static final int SHAPES = 64;
  private static final int SETS = SHAPES * Long.SIZE;
  private static final int BITS = 3;

  // Places of a key: a shape, and a turn and one of two words in each half.
  private static final double CLEAR = SHAPES * 4.0 * Long.SIZE * Long.SIZE;

  // So many sets have a given bit.
  private static final int SETS_OF_BIT = BITS * SHAPES;

  private TwoWordShapes() {}

  /** Returns a shape before it is turned. Part of the file format. */
  static long shape(int number) {
    return 1L | (2L << (number % 31)) | (1L << (32 + number / 2));
  }

  /** Returns all shapes, by their numbers. */
  static long[] all() {
    long[] shapes = new long[SHAPES];
    for (int i = 0; i < SHAPES; i++) {
      shapes[i] = shape(i);
    }
    return shapes;
  }

  /**
   * Returns the rate of a block after 0, 1, 2 and so on keys.
   *
   * <p>All bits of a query are set unless one of them is not: by inclusion and exclusion, the
   * chance is a sum of terms, plus or minus, over the subsets of its bits in either word, each the
   * chance that no key has set any bit of them. A key of a given shape meets a word of its own half
   * with one half, and a subset with the share of turns that have a bit of it, in either half by
   * itself. The mean over shapes is what one key leaves clear, and a power of it what all leave.
   */
  static double[] ratesInBlock(int count) {
    SortedMap<Integer, Integer> terms = new TreeMap<>(); // by what a key leaves clear, in CLEAR
    for (int i = 0; i < SHAPES; i++) {
      addTerms(turnsBySubset(shape(i)), terms);
    }
    double[] rates = new double[count];
    terms.forEach(
        (clear, times) -> {
          double none = clear / CLEAR;
          double term = (double) times / SHAPES;
          for (int keys = 0; keys < count; keys++) {
            rates[keys] += term;
            term *= none;
          }
        });
    rates[0] = 0; // of a sum that is not, by its rounding
    return rates;
  }

  /** Returns how many turns of each shape meet each subset of three bits, plus or minus. */
  private static int[][] turnsBySubset(long bits) {
    int[][] turns = new int[1 << BITS][SHAPES];
    int number = 0;
    long subset = bits;
    while (true) {
      for (int i = 0; i < SHAPES; i++) {
        for (int turn = 0; turn < Long.SIZE; turn++) {
          turns[number][i] += (Long.rotateLeft(shape(i), turn) & subset) != 0 ? 1 : 0;
        }
      }
      number++;
      if (subset == 0) {
        return turns;
      }
      subset = (subset - 1) & bits;
    }
  }

  /** Adds 1 or -1 for each pair of subsets, at what a key leaves clear of both. */
  private static void addTerms(int[][] turnsBySubset, SortedMap<Integer, Integer> terms) {
    for (int a = 0; a < turnsBySubset.length; a++) {
      for (int b = 0; b < turnsBySubset.length; b++) {
        int clear = 0;
        for (int i = 0; i < SHAPES; i++) {
          clear += (2 * Long.SIZE - turnsBySubset[a][i]) * (2 * Long.SIZE - turnsBySubset[b][i]);
        }
        // Subsets come in descending order, from all three bits, which is number 0, to none.
        terms.merge(clear, Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1, Integer::sum);
      }
    }
  }

  /** Returns the share of hashes of a block that are found in its words. */
  static double rate(long[] block) {
    int found = 0;
    for (int i = 0; i < SHAPES; i++) {
      long shape = shape(i);
      found +=
          (turnsFound(shape, block[0]) + turnsFound(shape, block[1]))
              * (turnsFound(shape, block[2]) + turnsFound(shape, block[3]));
    }
    return found / CLEAR;
  }

  /** Returns how many turns of a shape are found in a word. */
  private static int turnsFound(long shape, long word) {
    long all = word;
    for (long others = shape & ~1L; others != 0; others &= others - 1) {
      // Bit j is left if the shape that begins at j is there.
      all &= Long.rotateRight(word, Long.numberOfTrailingZeros(others));
    }
    return Long.bitCount(all);
  }

  /**
   * Returns how many keys have probably set so many bits of a block, by the number of bits; with
   * all bits set, as if half a bit were clear.
   *
   * <p>A bit stays clear of a key with {@code 1 - 3/128}, so that the share of clear bits tells the
   * keys. That alone would be too many, since the logarithm is curved and the share scatters around
   * its mean c: by its variance over {@code 2 c^2}, in logarithms. Two bits of a word are both
   * clear of a key with one half and one half of {@code 1 - 6/64 + 3/2016}, two bits of two words
   * in one half with {@code 1 - 6/128}, and bits of both halves do not depend on each other.
   */
  static double[] keysInBlock() {
    double[] keys = new double[Blocks.BLOCK_BITS + 1];
    double perKey = -StrictMath.log1p(-0.5 * SETS_OF_BIT / SETS);
    for (int set = 0; set <= Blocks.BLOCK_BITS; set++) {
      double clear = Math.max(0.5, Blocks.BLOCK_BITS - set) / Blocks.BLOCK_BITS;
      double most = -StrictMath.log(clear) / perKey;
      double sameWord = StrictMath.pow(1 - 0.5 * (6.0 / 64 - 3.0 / 2016), most);
      double sameHalf = StrictMath.pow(1 - 6.0 / 128, most);
      double square = clear * clear;
      double variance =
          (clear * (1 - clear) + 63 * (sameWord - square) + 64 * (sameHalf - square))
              / Blocks.BLOCK_BITS;
      keys[set] = most - variance / (2 * square * perKey);
    }
    return keys;
  }
}
