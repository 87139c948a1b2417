package io.bloomery.partitioned;

import io.bloomery.FilterSpec;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Sizing;

/**
 * The size and rate of a filter of blocks of four 64-bit words, where a key sets two bits in each
 * word of one block.
 */
final class BlockSizing {

  static final int WORDS = 4;
  static final int BLOCK_BITS = WORDS * Long.SIZE;
  static final int BITS_PER_WORD = 2;
  static final int PROBES = WORDS * BITS_PER_WORD;

  /** At this rate blocks take 2.2 times the bits of one table, and below it ever more. */
  static final double LOWEST_RATE = 1e-6;

  private static final long MOST_BLOCKS = BitTable.MAX_BITS / BLOCK_BITS;

  // A block of so many keys, or more, says yes to all but one of 10^18 others.
  private static final int OVERFULL = 1_400;

  // How much of the sum may be left to its bound: less than its rounding.
  private static final double NEGLIGIBLE = 1e-16;

  private static final double[] RATE_IN_BLOCK = new double[OVERFULL];

  static {
    for (int i = 0; i < OVERFULL; i++) {
      RATE_IN_BLOCK[i] = rateInBlock(i);
    }
  }

  private BlockSizing() {}

  /**
   * Returns the rate of a block that holds i keys: {@code q^4}, where q is the chance that both of
   * a key's bits in one word are set.
   *
   * <p>The 2i bits that were set fall anywhere, so a given bit is clear with probability {@code a =
   * (63/64)^2i} and two given bits are with probability {@code b = (62/64)^2i}. The two bits asked
   * for are the same one in 64 times; therefore {@code q = (1 - a) / 64 + (1 - 2a + b) 63 / 64}.
   */
  static double rateInBlock(int keys) {
    double bits = (double) BITS_PER_WORD * keys;
    double notA = -StrictMath.expm1(bits * StrictMath.log1p(-1.0 / Long.SIZE));
    double notB = -StrictMath.expm1(bits * StrictMath.log1p(-2.0 / Long.SIZE));
    double same = 1.0 / Long.SIZE;
    double q = same * notA + (1 - same) * (2 * notA - notB);
    return q * q * q * q;
  }

  /**
   * Returns the rate after n keys, which is the mean over blocks: a block holds i of them with the
   * binomial probability of i hits in n trials of {@code 1 / blocks}.
   */
  static double rate(long keys, long blocks) {
    if (blocks == 1) {
      return keys < OVERFULL ? RATE_IN_BLOCK[(int) keys] : 1;
    }
    // In logarithms, since blocks that are mostly overfull are empty with a chance below any
    // double.
    double logShare = keys * StrictMath.log1p(-1.0 / blocks);
    double counted = StrictMath.exp(logShare);
    double hits = 0;
    for (int i = 1; i < OVERFULL; i++) {
      logShare += StrictMath.log(ratio(i, keys, blocks));
      double share = StrictMath.exp(logShare);
      counted += share;
      hits += share * RATE_IN_BLOCK[i];
      double next = ratio(i + 1, keys, blocks);
      // Ratios fall, so what is left is less than a geometric series. All of it counts as hits.
      if (next < 1 && share * next <= (1 - next) * NEGLIGIBLE * hits) {
        return hits + share * next / (1 - next);
      }
    }
    return hits + Math.max(0, 1 - counted);
  }

  /** Returns how much rarer, or more frequent, blocks of i keys are than blocks of i - 1. */
  private static double ratio(int i, long keys, long blocks) {
    return (double) (keys - i + 1) / i / (blocks - 1);
  }

  /**
   * Finds the fewest blocks that keep {@code spec}, hash collisions included.
   *
   * @throws IllegalArgumentException if the rate is below {@link #LOWEST_RATE}, or if they need
   *     more than {@link BitTable#MAX_BITS}
   */
  static long fewestBlocks(FilterSpec spec) {
    if (spec.falsePositiveRate() < LOWEST_RATE) {
      throw new IllegalArgumentException(
          "rate must be at least "
              + LOWEST_RATE
              + " for variant split-block, but was "
              + spec.falsePositiveRate()
              + "; use variant standard, which needs less than half the bits there");
    }
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    // No filter takes less than log2(1/p) bits a key, so the search starts close below.
    double fewestBits = keys * -StrictMath.log(rate) / StrictMath.log(2);
    long tooFew = 0;
    long enough = Math.max(1, (long) (fewestBits / BLOCK_BITS));
    while (rate(keys, enough) > rate) {
      tooFew = enough;
      enough *= 2;
    }
    while (enough - tooFew > 1) {
      long middle = tooFew + (enough - tooFew) / 2;
      if (rate(keys, middle) > rate) {
        tooFew = middle;
      } else {
        enough = middle;
      }
    }
    if (enough > MOST_BLOCKS) {
      throw Sizing.tooLarge(spec, (double) enough * BLOCK_BITS);
    }
    return enough;
  }
}
