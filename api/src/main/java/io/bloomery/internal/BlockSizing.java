package io.bloomery.internal;

import java.util.function.LongToDoubleFunction;

/**
 * The formulas of a blocked Bloom filter, which keeps all bits of a key in one block of 64-bit
 * words: equally many in each word, some of which may coincide, or any others for which the rate of
 * a block is known.
 *
 * <p>n is the number of keys. The number of keys in a block has a binomial distribution: n trials
 * with a probability of {@code 1 / blocks}. Rates hold for hashes that behave as random. All
 * formulas use {@link StrictMath}, so that results are equal on every JVM. Source of the mean over
 * blocks: Putze, Sanders, Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class BlockSizing {

  /**
   * The number of keys at which a block counts as saturated: a query of it returns true except with
   * a probability of 10^-12, or is treated as if it always did.
   */
  public static final int OVERFULL = 2_048;

  // The part of the sum that may be replaced by its bound: less than the rounding error.
  private static final double NEGLIGIBLE = 1e-16;

  // About ten times its square is the relative increase of rates.
  private static final double NEGLIGIBLE_UNEVENNESS = 1e-7;

  // Too small to affect any digit of a rate to which parts with more set bits contribute.
  private static final double NO_CHANCE = 1e-60;

  // Other probabilities are multiplied, which takes a tenth of the time of logarithms.
  private static final double TOO_SMALL_TO_MULTIPLY = 1e-200;

  private final int blockBits;
  private final double[] rateInBlock; // by number of keys in the block
  private final int placesInBlock; // selected by WordProbes; 0 if all blocks are equally likely

  /**
   * Prepares the formulas for keys whose bits in a block are not equally many in each word.
   *
   * @param rateInBlock the rates of blocks of 0, 1, 2 and so on keys, {@link #OVERFULL} numbers
   */
  public BlockSizing(int blockBits, double[] rateInBlock) {
    if (rateInBlock.length != OVERFULL) {
      throw new IllegalArgumentException(
          "rateInBlock must have " + OVERFULL + " numbers, but has " + rateInBlock.length);
    }
    this.blockBits = blockBits;
    this.rateInBlock = rateInBlock.clone();
    this.placesInBlock = 0;
  }

  private BlockSizing(BlockSizing even, int placesInBlock) {
    this.blockBits = even.blockBits;
    this.rateInBlock = even.rateInBlock;
    this.placesInBlock = placesInBlock;
  }

  /** Prepares the formulas, which takes time: reuse the instance. */
  public BlockSizing(int wordsPerBlock, int bitsPerWord) {
    this(wordsPerBlock * Long.SIZE, ratesInBlock(wordsPerBlock, Long.SIZE, bitsPerWord));
  }

  /**
   * Prepares the formulas for keys with {@code bitsPerKey} bits anywhere in a block, some of which
   * may coincide, which takes time: reuse the instance.
   */
  public static BlockSizing anywhere(int blockBits, int bitsPerKey) {
    return new BlockSizing(blockBits, ratesInBlock(1, blockBits, bitsPerKey));
  }

  /**
   * Returns the rates of blocks by number of keys, each with {@code bitsPerPart} bits in each part.
   */
  private static double[] ratesInBlock(int parts, int partBits, int bitsPerPart) {
    double[] rates = new double[OVERFULL];
    double[] allSet = new double[partBits + 1]; // rates of parts by number of set bits
    for (int set = 1; set <= partBits; set++) {
      allSet[set] = StrictMath.pow((double) set / partBits, bitsPerPart);
    }
    double[] chances = new double[partBits + 1]; // probabilities by number of set bits
    chances[0] = 1;
    int fewest = 0; // set bits with a nonzero probability
    for (int keys = 1; keys < OVERFULL; keys++) {
      for (int i = 0; i < bitsPerPart; i++) {
        setOneMore(chances, fewest);
        while (chances[fewest] < NO_CHANCE) {
          chances[fewest++] = 0;
        }
      }
      double rateInPart = 0;
      for (int set = fewest; set <= partBits; set++) {
        rateInPart += chances[set] * allSet[set];
      }
      // Given the number of keys in the block, its parts are independent.
      rates[keys] = StrictMath.pow(rateInPart, parts);
    }
    return rates;
  }

  private static void setOneMore(double[] chances, int fewest) {
    int bits = chances.length - 1;
    for (int set = bits; set > fewest; set--) {
      chances[set] = (chances[set] * set + chances[set - 1] * (bits - set + 1)) / bits;
    }
    chances[fewest] = chances[fewest] * fewest / bits;
  }

  /**
   * Returns the same formulas for blocks whose places are selected by {@link WordProbes#word}. In
   * tables that are large compared to its 2^32 values, some places are more frequent than others.
   *
   * @param placesInBlock the number of places in a block, from 0 to 64; with 0, all blocks are
   *     equally likely
   * @throws IllegalArgumentException if it is out of range
   */
  public BlockSizing pickedByWordProbes(int placesInBlock) {
    if (placesInBlock < 0 || placesInBlock > Long.SIZE) {
      throw new IllegalArgumentException(
          "placesInBlock must be from 0 to 64, but is " + placesInBlock);
    }
    return new BlockSizing(this, placesInBlock);
  }

  /**
   * Returns the rate after n keys, to twelve digits, or an upper bound if places differ in
   * frequency.
   *
   * @param blocks at least 1; the probability of a block is {@code 1 / blocks}, so it need not be
   *     an integer
   */
  public double rate(long keys, double blocks) {
    double off = unevenness(blocks);
    if (off < NEGLIGIBLE_UNEVENNESS) {
      return evenRate(keys, blocks);
    }
    // Blocks that receive more keys are queried more often in the same proportion.
    double more = (1 + off) * evenRate(keys, blocks / (1 + off));
    double less = (1 - off) * evenRate(keys, blocks / (1 - off));
    return (more + less) / 2;
  }

  /**
   * Returns the maximum relative deviation of the frequency of a place from the mean. Each place is
   * selected by v values or by v + 1; the variance is greatest if all deviate by half a value.
   * Tables with more places than values are not created; the sizes given for them assume equal
   * frequencies.
   */
  private double unevenness(double blocks) {
    double perValue = blocks * placesInBlock / WordProbes.VALUES;
    return perValue > 1 ? 0 : perValue / 2;
  }

  private double evenRate(long keys, double blocks) {
    return mean(rateInBlock, 1, keys, blocks);
  }

  /**
   * Returns the mean over blocks of a function of the number of keys in a block, to twelve digits.
   *
   * @param inBlock the values for blocks of 0, 1, 2 and so on keys, {@link #OVERFULL} numbers: zero
   *     at first, and never decreasing
   * @param beyond the value for blocks with more keys, not less than the last of these numbers
   * @param blocks at least 1; the probability of a block is {@code 1 / blocks}, so it need not be
   *     an integer
   */
  public static double mean(double[] inBlock, double beyond, long keys, double blocks) {
    if (blocks == 1) {
      return keys < OVERFULL ? inBlock[(int) keys] : beyond;
    }
    double logShare = keys * StrictMath.log1p(-1.0 / blocks);
    double share = StrictMath.exp(logShare);
    double counted = share;
    double sum = 0;
    double ratio = ratio(1, keys, blocks);
    // If most blocks are overfull, the probability of an empty one is too small for a double.
    boolean isLogarithmic = share < TOO_SMALL_TO_MULTIPLY;
    for (int i = 1; i < OVERFULL; i++) {
      if (isLogarithmic) {
        logShare += StrictMath.log(ratio);
        share = StrictMath.exp(logShare);
        isLogarithmic = share < TOO_SMALL_TO_MULTIPLY;
      } else {
        share *= ratio;
      }
      counted += share;
      sum += share * inBlock[i];
      ratio = ratio(i + 1, keys, blocks);
      // Ratios decrease, so the remainder is less than a geometric series. All of it is counted as
      // overfull.
      if (ratio < 1 && share * ratio * beyond <= (1 - ratio) * NEGLIGIBLE * sum) {
        double left = share * ratio / (1 - ratio);
        // The sum of all shares differs from 1 only by rounding errors, which the sum has too.
        return Math.min(beyond, (sum + left * beyond) / (counted + left));
      }
    }
    return Math.min(beyond, sum + Math.max(0, 1 - counted) * beyond);
  }

  /** Returns the ratio of the number of blocks of i keys to that of blocks of i - 1 keys. */
  private static double ratio(int i, long keys, double blocks) {
    return (double) Math.max(0, keys - i + 1) / i / (blocks - 1);
  }

  /**
   * Returns the minimum number of blocks whose rate after n keys is at most {@code rate}. Below a
   * rate of about 10^-6 the number grows without reasonable limit: callers reject such rates.
   */
  public long minBlocks(long keys, double rate) {
    return minParts(keys, rate, blockBits, blocks -> rate(keys, (double) blocks));
  }

  /**
   * Returns the minimum number of parts of a table whose rate is at most {@code rate}.
   *
   * @param bits the number of bits of a part
   * @param rateOf the rate by number of parts, decreasing
   */
  public static long minParts(long keys, double rate, int bits, LongToDoubleFunction rateOf) {
    // No filter takes fewer than log2(1/p) bits per key, so the search starts slightly below. It
    // continues where linear interpolation of the logarithm meets the rate, which is close, because
    // the curvature is small.
    double minBits = keys * -StrictMath.log(rate) / StrictMath.log(2);
    long tooFew = 0;
    double above = 1; // the rate of tooFew parts; below is that of enough
    double below;
    long enough = Math.max(1, (long) (minBits / bits));
    while ((below = rateOf.applyAsDouble(enough)) > rate) {
      tooFew = enough;
      above = below;
      enough *= 2;
    }
    boolean halve = tooFew == 0;
    while (enough - tooFew > 1) {
      double share = halve ? 0.5 : StrictMath.log(above / rate) / StrictMath.log(above / below);
      long middle = tooFew + (long) (share * (enough - tooFew));
      middle = Math.max(tooFew + 1, Math.min(enough - 1, middle));
      double now = rateOf.applyAsDouble(middle);
      long before = enough - tooFew;
      if (now > rate) {
        tooFew = middle;
        above = now;
      } else {
        enough = middle;
        below = now;
      }
      // Interpolation that always errs on the same side converges only step by step.
      halve = tooFew == 0 || (!halve && enough - tooFew > before / 2);
    }
    return enough;
  }
}
