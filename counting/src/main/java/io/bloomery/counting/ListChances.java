package io.bloomery.counting;

import io.bloomery.internal.BlockSizing;

/**
 * The probability that the counts of a block do not fit in a {@link CountList}, and the mean number
 * of its planes, by the number of its keys.
 *
 * <p>The counts are binomial and nearly independent. The generating function of the number of
 * entries is therefore that of one position, to the power of {@link CountingLayout#BLOCK_BITS}.
 */
final class ListChances {

  /** The probability that a block is spilled. */
  final double[] spilled = new double[BlockSizing.OVERFULL];

  /** The mean number of planes of a block, which has none if it is not spilled. */
  final double[] planes = new double[BlockSizing.OVERFULL];

  /**
   * Computes both for all numbers of keys.
   *
   * @param chance the probability that a key has a given position
   */
  ListChances(double chance) {
    for (int keys = 1; keys < BlockSizing.OVERFULL; keys++) {
      double[] chances = binomial(keys, chance);
      double fits = fitting(chances, 2 + CountList.MAX);
      // Monotonic despite rounding.
      spilled[keys] = Math.max(spilled[keys - 1], 1 - fits);
      // At least two planes, as a count is above 2; three if one is above 4, unless the list has
      // room for it.
      double mean =
          2 * spilled[keys] + Math.max(0, above(chances, 4) - (fits - fitting(chances, 4)));
      for (int count = 8; count < chances.length - 1; count *= 2) {
        mean += above(chances, count);
      }
      planes[keys] = Math.max(planes[keys - 1], mean);
    }
  }

  /** Returns the distribution of the count of a position. */
  private static double[] binomial(int keys, double chance) {
    double[] chances = new double[Math.max(keys, 2 + CountList.MAX) + 1];
    chances[0] = StrictMath.pow(1 - chance, keys);
    for (int count = 1; count <= keys; count++) {
      chances[count] = chances[count - 1] * chance / (1 - chance) * (keys - count + 1) / count;
    }
    return chances;
  }

  /** Returns the probability that the largest count of a block exceeds {@code count}. */
  private static double above(double[] chances, int count) {
    double atMost = 0;
    for (int i = 0; i <= count; i++) {
      atMost += chances[i];
    }
    return 1 - StrictMath.pow(Math.min(1, atMost), CountingLayout.BLOCK_BITS);
  }

  /** Returns the probability that a list has room, and that no count exceeds {@code largest}. */
  private static double fitting(double[] chances, int largest) {
    double[] entries = new double[CountList.MAX + 1]; // distribution for one position
    for (int count = 0; count <= largest; count++) {
      entries[Math.max(0, count - 2)] += chances[count];
    }
    for (int positions = 1; positions < CountingLayout.BLOCK_BITS; positions *= 2) {
      entries = square(entries);
    }
    double sum = 0;
    for (double ofEntries : entries) {
      sum += ofEntries;
    }
    return Math.min(1, sum);
  }

  /** Returns the distribution for twice as many positions. */
  private static double[] square(double[] entries) {
    double[] square = new double[entries.length];
    for (int i = 0; i < square.length; i++) {
      for (int j = 0; j <= i; j++) {
        square[i] += entries[j] * entries[i - j];
      }
    }
    return square;
  }
}
