package io.bloomery.counting;

import io.bloomery.internal.BlockSizing;

/**
 * How likely it is that what the counts of a block are above 2 does not fit into a {@link
 * CountList}, and how many planes such a block has, by the number of its keys.
 *
 * <p>Each count is binomial, and they hardly depend on each other. So the sum of what they are
 * above 2 has the generating function of one of them, to the power of {@link
 * CountingLayout#BLOCK_BITS}.
 */
final class ListChances {

  /** The chance that a block is spilled. */
  final double[] spilled = new double[BlockSizing.OVERFULL];

  /** Its planes on average, none if it is not spilled. */
  final double[] planes = new double[BlockSizing.OVERFULL];

  /**
   * Computes them.
   *
   * @param chance that a key has a position
   */
  ListChances(double chance) {
    for (int keys = 1; keys < BlockSizing.OVERFULL; keys++) {
      double[] chances = binomial(keys, chance);
      double fits = fitting(chances, 2 + CountList.MAX);
      // Rounding must not make them fall.
      spilled[keys] = Math.max(spilled[keys - 1], 1 - fits);
      // Two planes at least, as a count is above 2; three if one is above 4, which a list may have.
      double mean =
          2 * spilled[keys] + Math.max(0, above(chances, 4) - (fits - fitting(chances, 4)));
      for (int count = 8; count < chances.length - 1; count *= 2) {
        mean += above(chances, count);
      }
      planes[keys] = Math.max(planes[keys - 1], mean);
    }
  }

  /** Returns the chances of each count of a position, as long as there are any. */
  private static double[] binomial(int keys, double chance) {
    double[] chances = new double[Math.max(keys, 2 + CountList.MAX) + 1];
    chances[0] = StrictMath.pow(1 - chance, keys);
    for (int count = 1; count <= keys; count++) {
      chances[count] = chances[count - 1] * chance / (1 - chance) * (keys - count + 1) / count;
    }
    return chances;
  }

  /** Returns the chance that the largest count of a block is above one. */
  private static double above(double[] chances, int count) {
    double atMost = 0;
    for (int i = 0; i <= count; i++) {
      atMost += chances[i];
    }
    return 1 - StrictMath.pow(Math.min(1, atMost), CountingLayout.BLOCK_BITS);
  }

  /** Returns the chance that a list has room, and that no count is above one. */
  private static double fitting(double[] chances, int largest) {
    double[] entries = new double[CountList.MAX + 1]; // the chance of so many, for a position
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

  /** Returns the chances for twice as many positions. */
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
