package io.bloomery.internal;

import java.util.function.LongToDoubleFunction;

/**
 * The formulas of a Bloom filter that keeps all bits of a key in one block of 64-bit words: equally
 * many in each word, some of which may coincide, or any others whose rate in a block is known.
 *
 * <p>n is the number of keys. Of them a block holds a binomial number: n trials, each a hit with
 * {@code 1 / blocks}. Rates are those of hashes that behave as random. All of it is computed with
 * {@link StrictMath}: the same question has the same answer on every JVM. Source of the mean over
 * blocks: Putze, Sanders, Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class BlockSizing {

  /** Keys of a block that says yes to all but one of 10^12 others, or is taken to. */
  public static final int OVERFULL = 2_048;

  // How much of the sum may be left to its bound: less than its rounding.
  private static final double NEGLIGIBLE = 1e-16;

  // Its square, some ten times, is what rates rise by.
  private static final double NEGLIGIBLE_UNEVENNESS = 1e-7;

  // Too low to change a digit of a rate that a part with more bits has.
  private static final double NO_CHANCE = 1e-60;

  private final int blockBits;
  private final double[] rateInBlock; // by the number of keys in it
  private final int placesInBlock; // that WordProbes picks among; none if zero

  /**
   * Prepares the formulas for keys that have other bits in a block than equally many in each word.
   *
   * @param rateInBlock the rate of a block of 0, 1, 2 and so on keys, {@link #OVERFULL} numbers
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

  /** Prepares the formulas; keep the instance. */
  public BlockSizing(int wordsPerBlock, int bitsPerWord) {
    this(wordsPerBlock * Long.SIZE, ratesInBlock(wordsPerBlock, Long.SIZE, bitsPerWord));
  }

  /**
   * Prepares the formulas for keys that have so many bits anywhere in a block, some of which may
   * coincide; keep the instance.
   */
  public static BlockSizing anywhere(int blockBits, int bitsPerKey) {
    return new BlockSizing(blockBits, ratesInBlock(1, blockBits, bitsPerKey));
  }

  /** Returns the rate of a block by its keys, each with so many bits in each of its parts. */
  private static double[] ratesInBlock(int parts, int partBits, int bitsPerPart) {
    double[] rates = new double[OVERFULL];
    double[] allSet = new double[partBits + 1]; // the rate of a part with so many set bits
    for (int set = 1; set <= partBits; set++) {
      allSet[set] = StrictMath.pow((double) set / partBits, bitsPerPart);
    }
    double[] chances = new double[partBits + 1]; // of each number of set bits in a part
    chances[0] = 1;
    int fewest = 0; // of which there is a chance
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
      // Once a block's keys are known, its parts are independent.
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
   * Returns the same formulas where {@link WordProbes#word} picks one of so many places in a block.
   * Some come more often than others then, in tables that are large beside its 2^32 values.
   *
   * @param placesInBlock from 0 to 64; with zero, all blocks come equally often
   * @throws IllegalArgumentException if it is not
   */
  public BlockSizing pickedByWordProbes(int placesInBlock) {
    if (placesInBlock < 0 || placesInBlock > Long.SIZE) {
      throw new IllegalArgumentException(
          "placesInBlock must be from 0 to 64, but is " + placesInBlock);
    }
    return new BlockSizing(this, placesInBlock);
  }

  /**
   * Returns the rate after n keys, to twelve digits; at most so high if places are uneven.
   *
   * @param blocks at least 1; a key lies in a block with one over this, so it need not be whole
   */
  public double rate(long keys, double blocks) {
    double off = unevenness(blocks);
    if (off < NEGLIGIBLE_UNEVENNESS) {
      return evenRate(keys, blocks);
    }
    // Who puts more keys into a block asks it more often, too.
    double more = (1 + off) * evenRate(keys, blocks / (1 + off));
    double less = (1 - off) * evenRate(keys, blocks / (1 - off));
    return (more + less) / 2;
  }

  /**
   * Returns by which part places come more or less often than on average, at worst. Each comes from
   * one value more or less of some v; they vary most if that is half a value for all of them.
   * Tables with more places than values are not made; what they would need is told as if places
   * were even.
   */
  private double unevenness(double blocks) {
    double perValue = blocks * placesInBlock / WordProbes.VALUES;
    return perValue > 1 ? 0 : perValue / 2;
  }

  private double evenRate(long keys, double blocks) {
    return mean(rateInBlock, 1, keys, blocks);
  }

  /**
   * Returns the mean over blocks of something that depends on a block's keys, to twelve digits.
   *
   * @param inBlock what a block of 0, 1, 2 and so on keys has, {@link #OVERFULL} numbers: zero at
   *     first, and never falling
   * @param beyond what a block of more keys has, at least the last of these numbers
   * @param blocks at least 1; a key lies in a block with one over this, so it need not be whole
   */
  public static double mean(double[] inBlock, double beyond, long keys, double blocks) {
    if (blocks == 1) {
      return keys < OVERFULL ? inBlock[(int) keys] : beyond;
    }
    // In logarithms, since blocks that are mostly overfull are empty with a chance below any
    // double.
    double logShare = keys * StrictMath.log1p(-1.0 / blocks);
    double counted = StrictMath.exp(logShare);
    double sum = 0;
    for (int i = 1; i < OVERFULL; i++) {
      logShare += StrictMath.log(ratio(i, keys, blocks));
      double share = StrictMath.exp(logShare);
      counted += share;
      sum += share * inBlock[i];
      double next = ratio(i + 1, keys, blocks);
      // Ratios fall, so what is left is less than a geometric series. All of it counts as overfull.
      if (next < 1 && share * next * beyond <= (1 - next) * NEGLIGIBLE * sum) {
        double left = share * next / (1 - next);
        // All shares are 1 together but for their rounding, which the sum has too.
        return Math.min(beyond, (sum + left * beyond) / (counted + left));
      }
    }
    return Math.min(beyond, sum + Math.max(0, 1 - counted) * beyond);
  }

  /** Returns how much rarer, or more frequent, blocks of i keys are than blocks of i - 1. */
  private static double ratio(int i, long keys, double blocks) {
    return (double) Math.max(0, keys - i + 1) / i / (blocks - 1);
  }

  /**
   * Finds the fewest blocks whose rate after n keys is at most {@code rate}. Below a rate of about
   * 10^-6 their number explodes: refuse that before asking.
   */
  public long minBlocks(long keys, double rate) {
    return minParts(keys, rate, blockBits, blocks -> rate(keys, (double) blocks));
  }

  /**
   * Finds the fewest parts of a table whose rate is at most {@code rate}, given the rate by their
   * number, which falls, and the bits of one.
   */
  public static long minParts(long keys, double rate, int bits, LongToDoubleFunction rateOf) {
    // No filter takes less than log2(1/p) bits a key, so the search starts close below. It goes on
    // where the line between two logarithms meets the rate: close, since they hardly bend.
    double minBits = keys * -StrictMath.log(rate) / StrictMath.log(2);
    long tooFew = 0;
    double above = 1; // the rates of these two
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
      // A line that always errs to one side comes no closer than step by step.
      halve = tooFew == 0 || (!halve && enough - tooFew > before / 2);
    }
    return enough;
  }
}
