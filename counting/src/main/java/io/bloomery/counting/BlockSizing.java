package io.bloomery.counting;

/**
 * The formulas of a filter that keeps all bits of a key in one block of 64-bit words, equally many
 * in each word.
 *
 * <p>Of n keys, a block holds Binomial(n, 1/blocks). The bits of a key within a word may coincide.
 * Rates are those of hashes that behave as random. All of it is computed with {@link StrictMath}:
 * the same question has the same answer on every JVM. Source of the sum over blocks: Putze, Sanders
 * and Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
final class BlockSizing {

  // Of this many keys, a word misses a bit with a probability below 1e-12 even at one bit a key.
  private static final int MOST_KEYS = 1 << 11;

  // What the sum leaves out is at most this share of it, and is counted as hits.
  private static final double NEGLIGIBLE = 1e-9;

  private final double[] hit = new double[MOST_KEYS + 1]; // by the number of keys in the block

  BlockSizing(int wordsPerBlock, int bitsPerWord) {
    double[] asked = new double[Long.SIZE + 1]; // share of hits by the number of set bits in a word
    for (int set = 0; set <= Long.SIZE; set++) {
      asked[set] = StrictMath.pow((double) set / Long.SIZE, bitsPerWord);
    }
    double[] fill = new double[Long.SIZE + 1]; // probability of so many set bits
    fill[0] = 1;
    for (int keys = 1; keys <= MOST_KEYS; keys++) {
      for (int bit = 0; bit < bitsPerWord; bit++) {
        for (int set = Long.SIZE; set > 0; set--) {
          fill[set] = (fill[set] * set + fill[set - 1] * (Long.SIZE - set + 1)) / Long.SIZE;
        }
        fill[0] = 0;
      }
      double word = 0;
      for (int set = 1; set <= Long.SIZE; set++) {
        word += fill[set] * asked[set];
      }
      // Once a block's keys are known, its words are independent.
      hit[keys] = StrictMath.pow(word, wordsPerBlock);
    }
  }

  /** Returns the rate after n keys, too high by at most a billionth of itself. */
  double rate(long keys, long blocks) {
    if (blocks == 1) {
      return keys <= MOST_KEYS ? hit[(int) keys] : 1;
    }
    double logChance = keys * StrictMath.log1p(-1.0 / blocks); // of a block that holds none
    double rate = 0;
    double seen = 0;
    for (int i = 0; i <= MOST_KEYS; i++) {
      double chance = StrictMath.exp(logChance);
      rate += chance * hit[i];
      seen += chance;
      logChance += StrictMath.log(step(keys, blocks, i));
      // Chances beyond the mean fall faster than a geometric series.
      double next = step(keys, blocks, i + 1);
      if (next < 1) {
        double rest = StrictMath.exp(logChance) / (1 - next);
        if (rest <= rate * NEGLIGIBLE) {
          return Math.min(1, rate + rest);
        }
      }
    }
    return Math.min(1, rate + Math.max(0, 1 - seen));
  }

  /** Returns how many times likelier a block is to hold i + 1 keys than to hold i. */
  private static double step(long keys, long blocks, int i) {
    return Math.max(0, keys - i) / ((i + 1.0) * (blocks - 1));
  }

  /**
   * Returns the smallest number of blocks whose rate after n keys is at most {@code rate}.
   *
   * @param enough a number of blocks that is known to do
   */
  long smallest(long keys, double rate, long enough) {
    long tooFew = 0;
    long blocks = enough;
    while (blocks - tooFew > 1) {
      long middle = (tooFew + blocks) >>> 1;
      if (rate(keys, middle) <= rate) {
        blocks = middle;
      } else {
        tooFew = middle;
      }
    }
    return blocks;
  }
}
