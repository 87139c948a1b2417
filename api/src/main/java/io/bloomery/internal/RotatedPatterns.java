package io.bloomery.internal;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bits of keys that have one of a few patterns in two words, the same pattern in both, rotated
 * in each by itself to one of 64 places, and what follows from them for the rate.
 *
 * <p>A pattern and a rotation cost fewer instructions than as many numbers of bits, and sets of
 * bits are fewer: that costs little if every distance between two bits of a pattern is about as
 * frequent as any other.
 */
public final class RotatedPatterns {

  private static final int ROTATIONS = Long.SIZE;

  private final long[] patterns;
  private final int bits; // of a pattern

  /**
   * Prepares the formulas.
   *
   * @param patterns equally many bits each, of which bit 0 is one; equally frequent
   */
  public RotatedPatterns(long[] patterns) {
    this.patterns = patterns.clone();
    this.bits = Long.bitCount(patterns[0]);
    for (long pattern : patterns) {
      if (Long.bitCount(pattern) != bits || (pattern & 1) == 0) {
        throw new IllegalArgumentException(
            "shapes must have bit 0 and as many bits as the first, but one was "
                + Long.toBinaryString(pattern));
      }
    }
  }

  /** Returns how many patterns there are. */
  public int count() {
    return patterns.length;
  }

  /**
   * Prepares the formulas of a filter whose words are paired, so that a key's two words are one of
   * the pairs; keep the instance. What it calls a block is a pair together with its neighbours,
   * those that have one of its words: each key lies in one pair of a block, evenly.
   *
   * @param neighbours how many neighbours a pair has: none if each word is in one pair; one or two
   *     if pairs overlap
   */
  public BlockSizing sizing(int neighbours) {
    if (neighbours < 0 || neighbours > 2) {
      throw new IllegalArgumentException("neighbours must be from 0 to 2, but are " + neighbours);
    }
    return new BlockSizing(2 * Long.SIZE, ratesInBlock(neighbours, BlockSizing.OVERFULL));
  }

  /**
   * Returns the rate of a pair when it and its neighbours have 0, 1, 2 and so on keys.
   *
   * <p>All bits of a query are set unless one of them is not: by inclusion and exclusion, the
   * chance is a sum of terms, plus or minus, over the subsets of its bits in either word, each the
   * chance that no key has set any bit of them. A key of a given pattern leaves a subset clear with
   * the share of its rotations that have no bit of it: in both words if it lies in the pair, in one
   * if it lies in a neighbour. The mean over patterns and pairs is what one key leaves clear, and a
   * power of it what all leave.
   */
  double[] ratesInBlock(int neighbours, int count) {
    SortedMap<Long, Integer> terms = new TreeMap<>(); // by what a key leaves clear
    for (long pattern : patterns) {
      addTerms(clearRotationsBySubset(pattern), neighbours, terms);
    }
    double all = (double) patterns.length * ROTATIONS * ROTATIONS * (1 + neighbours);
    double[] rates = new double[count];
    terms.forEach(
        (clear, times) -> {
          double none = clear / all;
          double term = (double) times / patterns.length;
          for (int keys = 0; keys < count; keys++) {
            rates[keys] += term;
            term *= none;
          }
        });
    rates[0] = 0; // of a sum that is not, by its rounding
    return rates;
  }

  /**
   * Returns how many rotations of each pattern have no bit of each subset of a query's bits in one
   * of its words, subsets from all bits to none.
   */
  private int[][] clearRotationsBySubset(long query) {
    int[][] clear = new int[1 << bits][patterns.length];
    int number = 0;
    long subset = query;
    while (true) {
      for (int i = 0; i < patterns.length; i++) {
        clear[number][i] = ROTATIONS - rotationsThatMeet(patterns[i], subset);
      }
      number++;
      if (subset == 0) {
        return clear;
      }
      subset = (subset - 1) & query;
    }
  }

  private static int rotationsThatMeet(long pattern, long subset) {
    int rotations = 0;
    for (int rotation = 0; rotation < ROTATIONS; rotation++) {
      rotations += (Long.rotateLeft(pattern, rotation) & subset) != 0 ? 1 : 0;
    }
    return rotations;
  }

  /** Adds 1 or -1 for each two subsets, one in each word, at what a key leaves clear of both. */
  private static void addTerms(
      int[][] clearRotations, int neighbours, SortedMap<Long, Integer> terms) {
    for (int a = 0; a < clearRotations.length; a++) {
      for (int b = 0; b < clearRotations.length; b++) {
        long clear = 0;
        for (int i = 0; i < clearRotations[a].length; i++) {
          clear += (long) clearRotations[a][i] * clearRotations[b][i];
          clear += neighbours > 0 ? clearRotations[a][i] * ROTATIONS : 0;
          clear += neighbours > 1 ? clearRotations[b][i] * ROTATIONS : 0;
        }
        // Numbers of subsets have a bit for each bit that is left out.
        terms.merge(clear, Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1, Integer::sum);
      }
    }
  }

  /**
   * Counts the rotations of each pattern that are found in a word.
   *
   * @param found receives them, {@link #count} numbers
   */
  public void find(long word, int[] found) {
    for (int i = 0; i < found.length; i++) {
      found[i] = rotationsFound(patterns[i], word);
    }
  }

  /** Returns the share of hashes of a pair that are found, given what {@link #find} says. */
  public double rate(int[] foundInFirst, int[] foundInSecond) {
    long found = 0;
    for (int i = 0; i < patterns.length; i++) {
      found += (long) foundInFirst[i] * foundInSecond[i];
    }
    return found / ((double) patterns.length * ROTATIONS * ROTATIONS);
  }

  /** Returns how many rotations of a pattern are found in a word. */
  private static int rotationsFound(long pattern, long word) {
    long all = word;
    for (long others = pattern & ~1L; others != 0; others &= others - 1) {
      // Bit j is left if the pattern that begins at j is there.
      all &= Long.rotateRight(word, Long.numberOfTrailingZeros(others));
    }
    return Long.bitCount(all);
  }

  /**
   * Returns how many keys have probably set so many bits in each of some words, by the number of
   * bits in all of them; with all bits set, as if half a bit were clear.
   *
   * <p>Let a pattern have s bits. A bit stays clear of a key with {@code 1 - s / 64}, so that the
   * share of clear bits tells the keys. That alone would be too many, since the logarithm is curved
   * and the share scatters around its mean c: by its variance over {@code 2 c^2}, in logarithms.
   * Two bits of a word are both clear of a key with {@code 1 - 2s / 64 + s (s - 1) / (63 * 64)} on
   * average, and bits of different words do not depend on each other.
   */
  public double[] keysByBits(int words) {
    double[] keys = new double[words * Long.SIZE + 1];
    double share = (double) bits / Long.SIZE;
    double both = bits * (bits - 1) / (63.0 * Long.SIZE);
    double perKey = -StrictMath.log1p(-share);
    for (int set = 0; set < keys.length; set++) {
      double all = words * Long.SIZE;
      double clear = Math.max(0.5, all - set) / all;
      double max = -StrictMath.log(clear) / perKey;
      double bothClear = StrictMath.pow(1 - 2 * share + both, max);
      double square = clear * clear;
      double variance = (clear * (1 - clear) + 63 * (bothClear - square)) / all;
      keys[set] = max - variance / (2 * square * perKey);
    }
    return keys;
  }
}
