package io.bloomery.spi;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.Sizing;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;

/**
 * The formulas of a Bloom filter whose table is cut into equal blocks: a hash picks one of them, by
 * {@link Probes#position} for example, and all k bits of a key lie anywhere in that block, some of
 * which may coincide.
 *
 * <p>A query touches one block, and so one cache line if that is as large. It costs bits, since
 * some blocks get more keys than others: of 512 bits, 4 % more than {@link TableLayout#smallest} at
 * a rate of 1 %, 8 % more at 0.1 %, and 24 % more at 10^-5. Rates are those of hashes that behave
 * as random, means over the binomial number of keys in a block. Source: Putze, Sanders, Singler,
 * 2007, doi.org/10.1007/978-3-540-72845-0_9.
 *
 * <p>Keep an instance: the formulas of each k are prepared once, in milliseconds. Any number of
 * threads may use it.
 */
public final class TableBlocks {

  /** The number that layouts of blocks carry: the bits of one. */
  public static final String BLOCK_BITS = "block-bits";

  private static final int MAX_BITS = 1_024;

  private final int bits;
  private final double[] probesBySetBits;
  private final Map<Integer, BlockSizing> sizings = new ConcurrentHashMap<>(); // by probes

  private TableBlocks(int bits) {
    this.bits = bits;
    this.probesBySetBits = new double[bits + 1];
    for (int set = 0; set <= bits; set++) {
      probesBySetBits[set] = probesOf(set, bits);
    }
  }

  /**
   * Prepares the formulas for blocks of so many bits.
   *
   * @param blockBits a multiple of 64, from 64 to 1,024
   * @throws IllegalArgumentException if it is not
   */
  public static TableBlocks ofBits(int blockBits) {
    if (blockBits < Long.SIZE || blockBits > MAX_BITS || blockBits % Long.SIZE != 0) {
      throw new IllegalArgumentException(
          "bits of a block must be a multiple of 64 from 64 to "
              + MAX_BITS
              + ", but were "
              + blockBits);
    }
    return new TableBlocks(blockBits);
  }

  /** Returns the number of bits of a block. */
  public int bits() {
    return bits;
  }

  /**
   * Finds the fewest blocks whose rate at {@code spec.expectedKeys()} is at most {@code
   * spec.falsePositiveRate()}, collisions of 64-bit hashes included, and how many probes they need.
   *
   * @return a layout that carries {@link #BLOCK_BITS}; among equally small ones that with the
   *     fewest probes
   * @throws IllegalArgumentException if that is more than {@link BitTable#MAX_BITS}
   */
  public TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    long fewest = sizing(1).minBlocks(keys, rate);
    int probes = 1;
    double before = 1; // the rate of a block less with a probe less
    for (int k = 2; k <= TableLayout.MAX_PROBES && fewest > 1; k++) {
      double rateOfLess = sizing(k).rate(keys, fewest - 1.0);
      if (rateOfLess <= rate) {
        fewest = sizing(k).minBlocks(keys, rate);
        probes = k;
        before = 1;
      } else if (rateOfLess > before) {
        // More probes only raise it from here on, and so in still smaller tables.
        break;
      } else {
        before = rateOfLess;
      }
    }
    if (fewest > BitTable.MAX_BITS / bits) {
      throw TableLayout.tooLarge(spec, (double) fewest * bits);
    }
    return TableLayout.ofBits(fewest * bits).withProbes(probes).with(BLOCK_BITS, bits);
  }

  /**
   * Checks a layout that stands in a file: that it carries the bits of these blocks, and that its
   * table is of whole ones.
   *
   * @throws IllegalArgumentException if not
   */
  public void check(TableLayout layout) {
    if (layout.get(BLOCK_BITS) != bits) {
      throw new IllegalArgumentException(
          BLOCK_BITS + " must be " + bits + ", but was " + layout.get(BLOCK_BITS));
    }
    if (layout.bits() % bits != 0) {
      throw new IllegalArgumentException(
          "bits must be whole blocks of " + bits + ", but was " + layout.bits());
    }
  }

  /**
   * Returns the rate after so many different keys whose hashes do not collide, to twelve digits;
   * blocks of more than 2,047 keys are taken to say yes to all.
   *
   * @throws IllegalArgumentException if the layout is not of these blocks
   */
  public double falsePositiveRate(long keys, TableLayout layout) {
    check(layout);
    return sizing(layout.probes()).rate(keys, (double) layout.bits() / bits);
  }

  private BlockSizing sizing(int probes) {
    return sizings.computeIfAbsent(probes, k -> BlockSizing.anywhere(bits, k));
  }

  /**
   * Measures the table of a filter. The rate is the mean over blocks of each block's own, since
   * full blocks answer yes more often than empty ones make good. The number of keys is the sum of
   * each block's estimate; a block with every bit set counts as if half a bit were clear.
   *
   * @param spec what the filter was made for
   * @throws IllegalArgumentException if the layout is not of these blocks
   */
  public FilterStats stats(FilterSpec spec, TableLayout layout, BitTable table) {
    return stats(spec, layout, table::word);
  }

  /** Measures a table in a mapped file in the same way. */
  public FilterStats stats(FilterSpec spec, TableLayout layout, MappedTable table) {
    return stats(spec, layout, (IntToLongFunction) table::word);
  }

  private FilterStats stats(FilterSpec spec, TableLayout layout, IntToLongFunction words) {
    check(layout);
    int probes = layout.probes();
    long[] blocksBySetBits = blocksBySetBits(layout, words);
    long setBits = 0;
    double rates = 0;
    double keys = 0;
    for (int set = 1; set <= bits; set++) {
      setBits += blocksBySetBits[set] * set;
      rates += blocksBySetBits[set] * StrictMath.pow((double) set / bits, probes);
      keys += blocksBySetBits[set] * probesBySetBits[set] / probes;
    }
    return FilterStats.of(spec)
        .sizeInBits(layout.bits())
        .setBits(setBits)
        .falsePositiveRate(Math.min(1, rates * bits / layout.bits()))
        .approximateKeys(
            setBits == layout.bits()
                ? OptionalLong.empty()
                : OptionalLong.of(StrictMath.round(keys)))
        .build();
  }

  private long[] blocksBySetBits(TableLayout layout, IntToLongFunction words) {
    int wordsOfBlock = bits / Long.SIZE;
    int count = (int) (layout.bits() / Long.SIZE);
    long[] blocks = new long[bits + 1];
    for (int first = 0; first < count; first += wordsOfBlock) {
      int set = 0;
      for (int i = 0; i < wordsOfBlock; i++) {
        set += Long.bitCount(words.applyAsLong(first + i));
      }
      blocks[set]++;
    }
    return blocks;
  }

  // The share of clear bits after j probes, (1 - 1/b)^j, solved for j. That alone would be too many
  // on average, since the logarithm is curved and the share scatters around its mean c: by its
  // variance over 2 c^2, in logarithms. Small for one block, but the errors of many do not cancel.
  private static double probesOf(int setBits, int blockBits) {
    double clear = Math.max(0.5, blockBits - setBits) / blockBits;
    double perProbe = -StrictMath.log1p(-1.0 / blockBits);
    double probes = -StrictMath.log(clear) / perProbe;
    double bothClear = StrictMath.pow(1 - 2.0 / blockBits, probes);
    double square = clear * clear;
    double variance = (clear * (1 - clear) + (blockBits - 1) * (bothClear - square)) / blockBits;
    return probes - variance / (2 * square * perProbe);
  }
}
