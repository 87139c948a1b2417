package io.bloomery.spi;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bits of keys that have one of a few shapes in one word of each half of a block, the same
 * shape in both, turned in each by itself to one of 64 places, and what follows from them for the
 * rate.
 *
 * <p>A shape and a turn cost fewer instructions than as many numbers of bits, and sets of bits are
 * fewer: that costs little if every distance between two bits of a shape is about as frequent as
 * any other.
 */
public final class TurnedShapes {

  private final long[] shapes;
  private final int wordsInHalf;
  private final int bits; // of a shape
  private final int placesInHalf;

  /**
   * Prepares the formulas.
   *
   * @param shapes equally many bits each, of which bit 0 is one; equally frequent
   * @param wordsInHalf from how many words of each half of a block one is picked, evenly
   */
  public TurnedShapes(long[] shapes, int wordsInHalf) {
    this.shapes = shapes.clone();
    this.wordsInHalf = wordsInHalf;
    this.bits = Long.bitCount(shapes[0]);
    this.placesInHalf = wordsInHalf * Long.SIZE;
    for (long shape : shapes) {
      if (Long.bitCount(shape) != bits || (shape & 1) == 0) {
        throw new IllegalArgumentException(
            "shapes must have bit 0 and as many bits as the first, but one was "
                + Long.toBinaryString(shape));
      }
    }
  }

  private int blockBits() {
    return 2 * placesInHalf;
  }

  /**
   * Prepares the formulas of a filter of such blocks, where {@link WordProbes#word} picks the first
   * word of a key; keep the instance.
   */
  public BlockSizing sizing() {
    // A key has a word in each half, so that only those of one half share keys unevenly. With 2.1
    // to 3.4 values for a word, measured rates were above those of even words by 30 to 54 % of
    // what is said here for blocks of four words, and by up to all of it for blocks of two.
    return new BlockSizing(blockBits(), ratesInBlock(BlockSizing.OVERFULL))
        .pickedByWordProbes(wordsInHalf);
  }

  /**
   * Returns the rate of a block after 0, 1, 2 and so on keys.
   *
   * <p>All bits of a query are set unless one of them is not: by inclusion and exclusion, the
   * chance is a sum of terms, plus or minus, over the subsets of its bits in either word, each the
   * chance that no key has set any bit of them. A key of a given shape leaves a subset clear with
   * the share of its places that have no bit of it, in either half by itself. The mean over shapes
   * is what one key leaves clear, and a power of it what all leave.
   */
  double[] ratesInBlock(int count) {
    SortedMap<Integer, Integer> terms = new TreeMap<>(); // by what a key leaves clear
    for (long shape : shapes) {
      addTerms(clearPlacesBySubset(shape), terms);
    }
    double[] rates = new double[count];
    terms.forEach(
        (clear, times) -> {
          double none = clear / ((double) shapes.length * placesInHalf * placesInHalf);
          double term = (double) times / shapes.length;
          for (int keys = 0; keys < count; keys++) {
            rates[keys] += term;
            term *= none;
          }
        });
    rates[0] = 0; // of a sum that is not, by its rounding
    return rates;
  }

  /**
   * Returns how many places of each shape in a half have no bit of each subset of a query's bits in
   * one of its words, subsets from all bits to none.
   */
  private int[][] clearPlacesBySubset(long query) {
    int[][] clear = new int[1 << bits][shapes.length];
    int number = 0;
    long subset = query;
    while (true) {
      for (int i = 0; i < shapes.length; i++) {
        clear[number][i] = placesInHalf - turnsThatMeet(shapes[i], subset);
      }
      number++;
      if (subset == 0) {
        return clear;
      }
      subset = (subset - 1) & query;
    }
  }

  private static int turnsThatMeet(long shape, long subset) {
    int turns = 0;
    for (int turn = 0; turn < Long.SIZE; turn++) {
      turns += (Long.rotateLeft(shape, turn) & subset) != 0 ? 1 : 0;
    }
    return turns;
  }

  /** Adds 1 or -1 for each two subsets, one in each half, at what a key leaves clear of both. */
  private static void addTerms(int[][] clearPlaces, SortedMap<Integer, Integer> terms) {
    for (int a = 0; a < clearPlaces.length; a++) {
      for (int b = 0; b < clearPlaces.length; b++) {
        int clear = 0;
        for (int i = 0; i < clearPlaces[a].length; i++) {
          clear += clearPlaces[a][i] * clearPlaces[b][i];
        }
        // Numbers of subsets have a bit for each bit that is left out.
        terms.merge(clear, Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1, Integer::sum);
      }
    }
  }

  /** Returns the share of hashes of a block that are found in its words, first half first. */
  public double rate(long... block) {
    double found = 0;
    for (long shape : shapes) {
      int inFirst = 0;
      int inSecond = 0;
      for (int i = 0; i < wordsInHalf; i++) {
        inFirst += turnsFound(shape, block[i]);
        inSecond += turnsFound(shape, block[wordsInHalf + i]);
      }
      found += (double) inFirst * inSecond;
    }
    return found / ((double) shapes.length * placesInHalf * placesInHalf);
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
   * <p>Let a shape have s bits and a half w words. A bit stays clear of a key with {@code 1 - s /
   * 64w}, so that the share of clear bits tells the keys. That alone would be too many, since the
   * logarithm is curved and the share scatters around its mean c: by its variance over {@code 2
   * c^2}, in logarithms. Two bits of a word are both clear of a key with {@code 1 - (2s / 64 - s (s
   * - 1) / (63 * 64)) / w} on average, two bits of two words in one half with {@code 1 - 2s / 64w},
   * and bits of both halves do not depend on each other.
   */
  public double[] keysInBlock() {
    double[] keys = new double[blockBits() + 1];
    double share = (double) bits / placesInHalf;
    double both = bits * (bits - 1) / (63.0 * Long.SIZE) / wordsInHalf;
    double perKey = -StrictMath.log1p(-share);
    for (int set = 0; set < keys.length; set++) {
      double clear = Math.max(0.5, blockBits() - set) / blockBits();
      double most = -StrictMath.log(clear) / perKey;
      double sameWord = StrictMath.pow(1 - 2 * share + both, most);
      double sameHalf = StrictMath.pow(1 - 2 * share, most);
      double square = clear * clear;
      double variance =
          (clear * (1 - clear)
                  + 63 * (sameWord - square)
                  + (placesInHalf - Long.SIZE) * (sameHalf - square))
              / blockBits();
      keys[set] = most - variance / (2 * square * perKey);
    }
    return keys;
  }
}
