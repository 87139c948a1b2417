package io.bloomery.internal;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The formulas of filters in which the bits of a key are one of a few patterns in two words: the
 * same pattern in both, rotated in each independently to one of 64 positions.
 *
 * <p>A pattern and a rotation cost fewer instructions than the same number of independent bits, but
 * allow fewer sets of bits. That costs little if all distances between two bits of a pattern are
 * about equally frequent.
 */
public final class RotatedPatterns {

  private static final int ROTATIONS = Long.SIZE;

  // With fewer keys in a block the rate is so low that the terms of its sum, which nearly cancel,
  // would leave nine digits of it.
  private static final int FEW_KEYS = 24;

  private final long[] patterns;
  private final int bits; // per pattern

  // The second and the last bit of each pattern, the same one if there are two.
  private final int[] near;
  private final int[] far;

  private final double[] expected; // by the set bits of both words

  /**
   * Prepares the formulas.
   *
   * @param patterns equally frequent, with equally many bits each, two or three, including bit 0
   */
  public RotatedPatterns(long[] patterns) {
    this.patterns = patterns.clone();
    this.bits = Long.bitCount(patterns[0]);
    if (bits < 2 || bits > 3) {
      throw new IllegalArgumentException("bits of a pattern must be 2 or 3, but are " + bits);
    }
    this.near = new int[patterns.length];
    this.far = new int[patterns.length];
    for (int i = 0; i < patterns.length; i++) {
      near[i] = Long.numberOfTrailingZeros(patterns[i] & ~1L);
      far[i] = Long.SIZE - 1 - Long.numberOfLeadingZeros(patterns[i]);
    }
    for (long pattern : patterns) {
      if (Long.bitCount(pattern) != bits || (pattern & 1) == 0) {
        throw new IllegalArgumentException(
            "shapes must have bit 0 and as many bits as the first, but one was "
                + Long.toBinaryString(pattern));
      }
    }
    this.expected = expectedFound();
  }

  /**
   * Prepares the formulas of a filter whose words are paired, so that the two words of a key are
   * one of the pairs; takes time: reuse the instance. A block in these formulas is a pair together
   * with its neighbours, which share a word with it; each key is in one of the pairs of a block,
   * with equal probability.
   *
   * @param neighbours the number of neighbours of a pair: 0 if each word is in one pair; 1 or 2 if
   *     pairs overlap
   */
  public BlockSizing sizing(int neighbours) {
    if (neighbours < 0 || neighbours > 2) {
      throw new IllegalArgumentException("neighbours must be from 0 to 2, but are " + neighbours);
    }
    return new BlockSizing(2 * Long.SIZE, ratesInBlock(neighbours, BlockSizing.OVERFULL));
  }

  /**
   * Returns the rates of a pair if it and its neighbours have 0, 1, 2 and so on keys.
   *
   * <p>By inclusion and exclusion, the probability that all bits of a query are set is a sum over
   * the subsets of its bits in both words, with alternating signs, of the probability that no key
   * has set any bit of the subset. The probability that a key of a given pattern leaves a subset
   * clear is the fraction of its rotations that contain no bit of it: in both words if the key is
   * in the pair, in one if it is in a neighbour. The mean over patterns and pairs is the
   * probability for one key, and its power that for all keys.
   */
  double[] ratesInBlock(int neighbours, int count) {
    SortedMap<Long, Integer> terms = new TreeMap<>(); // by placements that leave bits clear
    for (long pattern : patterns) {
      addTerms(clearRotationsBySubset(pattern), neighbours, terms);
    }
    double all = (double) patterns.length * ROTATIONS * ROTATIONS * (1 + neighbours);
    DoubleDouble[] few = new DoubleDouble[Math.min(FEW_KEYS, count)];
    Arrays.fill(few, DoubleDouble.of(0));
    double[] rates = new double[count];
    terms.forEach(
        (clear, times) -> {
          DoubleDouble none = DoubleDouble.of(clear).dividedBy(all);
          DoubleDouble term = DoubleDouble.of(times).dividedBy(patterns.length);
          for (int keys = 0; keys < few.length; keys++) {
            few[keys] = few[keys].plus(term);
            term = term.times(none);
          }
          double power = term.toDouble();
          for (int keys = few.length; keys < count; keys++) {
            rates[keys] += power;
            power *= none.toDouble();
          }
        });
    for (int keys = 0; keys < few.length; keys++) {
      rates[keys] = few[keys].toDouble();
    }
    rates[0] = 0; // the sum differs from 0 by rounding
    return rates;
  }

  /**
   * Returns, for each subset of the bits of a query in one word, from all bits to none, and each
   * pattern, the number of rotations that contain no bit of the subset.
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

  /**
   * Adds 1 or -1 for each pair of subsets, one per word, at the number of placements that leave
   * both clear.
   */
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
        // The index of a subset has a set bit for each bit that the subset lacks.
        terms.merge(clear, Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1, Integer::sum);
      }
    }
  }

  /** Returns the fraction of the hashes of a pair that are found in it. */
  double rate(long first, long second) {
    return found(first, second) / hashes();
  }

  /** Returns the number of hashes of a pair: patterns, in all rotations in both words. */
  double hashes() {
    return (double) patterns.length * ROTATIONS * ROTATIONS;
  }

  /** Returns the number of hashes of a pair that are found in it. */
  long found(long first, long second) {
    long found = 0;
    for (int i = 0; i < near.length; i++) {
      // Bit j remains if the pattern rotated by j is contained.
      long inFirst = first & Long.rotateRight(first, near[i]) & Long.rotateRight(first, far[i]);
      long inSecond = second & Long.rotateRight(second, near[i]) & Long.rotateRight(second, far[i]);
      found += (long) Long.bitCount(inFirst) * Long.bitCount(inSecond);
    }
    return found;
  }

  /**
   * Returns the expected number of hashes found in a pair of words by the numbers of their set
   * bits: of those that random bits have, and of those of keys in both words. About right, which is
   * enough to select pairs by it. It is 0 where no hash is found, and where every one is.
   */
  double expectedFound(int inFirst, int inSecond) {
    return expected[inFirst * (Long.SIZE + 1) + inSecond];
  }

  private double[] expectedFound() {
    double[] all = new double[(Long.SIZE + 1) * (Long.SIZE + 1)];
    for (int first = bits; first <= Long.SIZE; first++) {
      for (int second = bits; second <= Long.SIZE; second++) {
        double random = hashes();
        for (int i = 0; i < bits; i++) {
          random *= (double) (first - i) * (second - i) / (ROTATIONS - i) / (ROTATIONS - i);
        }
        double ofKeys = (double) first * second / (first + second) / bits;
        all[first * (Long.SIZE + 1) + second] = random + ofKeys;
      }
    }
    all[all.length - 1] = 0;
    return all;
  }

  /**
   * Returns the estimated number of keys in some words, by the number of set bits in all of them;
   * if all bits are set, it is that for half a clear bit.
   *
   * <p>Let s be the number of bits of a pattern. A key leaves a bit clear with probability {@code 1
   * - s / 64}, so the fraction of clear bits yields an estimate. It is too large, because the
   * logarithm is curved and the fraction varies around its mean c: by its variance over {@code 2
   * c^2}, in logarithms. A key leaves two bits of a word both clear with probability {@code 1 - 2s
   * / 64 + s (s - 1) / (63 * 64)} on average, and bits of different words are independent.
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
