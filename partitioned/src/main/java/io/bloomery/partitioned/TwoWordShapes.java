package io.bloomery.partitioned;

/**
 * The sets of three bits that a key of a {@link TwoWordFilter} has in a word: 64 shapes, each
 * turned to one of 64 places, and what follows from them for the rate.
 *
 * <p>A shape and a turn cost fewer instructions than three numbers of bits. With 4,096 sets instead
 * of all 41,664 the filter takes 0.6 % more bits at 1 %. Shape i has bits 0, 1 + i mod 31 and 32 +
 * i / 2, so that every distance between two bits is about as frequent as any other: shapes of
 * neighbouring bits take 2 % more.
 */
final class TwoWordShapes {

  private static final int SHAPES = 64;
  private static final int SETS = SHAPES * Long.SIZE;
  private static final int BITS = 3;

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
   * <p>Three bits are set unless one of them is not: by inclusion and exclusion, the chance is a
   * sum of terms, plus or minus, over the subsets of the three, each the chance that no key has set
   * any bit of the subset. A key meets a word of its own half with one half, and a subset with the
   * share of sets that have a bit of it, so that each term is a number to the power of the keys.
   * The two halves are picked independently.
   */
  static double[] ratesInBlock(int count) {
    long[] termsBySets = new long[SETS + 1];
    for (int i = 0; i < SHAPES; i++) {
      addTerms(shape(i), termsBySets);
    }
    double[] rates = new double[count];
    for (int sets = 0; sets <= SETS; sets++) {
      if (termsBySets[sets] != 0) {
        double none = 1 - 0.5 * sets / SETS;
        double term = (double) termsBySets[sets] / SHAPES;
        for (int keys = 0; keys < count; keys++) {
          rates[keys] += term;
          term *= none;
        }
      }
    }
    for (int keys = 0; keys < count; keys++) {
      rates[keys] *= rates[keys];
    }
    rates[0] = 0; // of a sum that is not, by its rounding
    return rates;
  }

  /** Adds 1 or -1 for each subset of a shape, at the number of sets that have a bit of it. */
  private static void addTerms(long shape, long[] termsBySets) {
    long subset = shape;
    while (true) {
      termsBySets[setsThatMeet(subset)] += Long.bitCount(subset) % 2 == 0 ? 1 : -1;
      if (subset == 0) {
        return;
      }
      subset = (subset - 1) & shape;
    }
  }

  private static int setsThatMeet(long bits) {
    int sets = 0;
    for (int i = 0; i < SHAPES; i++) {
      for (int turn = 0; turn < Long.SIZE; turn++) {
        sets += (Long.rotateLeft(shape(i), turn) & bits) != 0 ? 1 : 0;
      }
    }
    return sets;
  }

  /** Returns the share of sets that are found in a word. */
  static double rate(long word) {
    int found = 0;
    for (int i = 0; i < SHAPES; i++) {
      long others = shape(i) & ~1L;
      long all = word;
      for (; others != 0; others &= others - 1) {
        // Bit j is left if the set of this shape that begins at j is there.
        all &= Long.rotateRight(word, Long.numberOfTrailingZeros(others));
      }
      found += Long.bitCount(all);
    }
    return (double) found / SETS;
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
