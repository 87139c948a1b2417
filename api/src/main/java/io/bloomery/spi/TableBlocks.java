package io.bloomery.spi;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.OverfullBlocks;
import io.bloomery.internal.Sizing;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntToLongFunction;

/**
 * The formulas of a blocked Bloom filter, whose table is divided into blocks of equal size: a hash
 * selects a block, by {@link Probes#position} for example, and k bits anywhere in that block, some
 * of which may coincide.
 *
 * <p>A query reads one block, which is one cache line if blocks are no larger and aligned. The
 * price is size, since some blocks receive more keys than others: with blocks of 512 bits, 4 % more
 * bits than {@link TableLayout#smallest} at a rate of 1 %, 8 % more at 0.1 %, and 24 % more at
 * 10^-5. Rates hold for hashes that behave as random and are means over the binomial number of keys
 * in a block. Source: Putze, Sanders, Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 *
 * <p>Thread-safe. Reuse an instance: the formulas of each k are prepared once per instance, which
 * takes milliseconds.
 */
public final class TableBlocks {

  /** The name of the number of bits per block in layouts. */
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
   * Returns the formulas for blocks of a size.
   *
   * @param blockBits a multiple of 64, from 64 to 1,024
   * @throws IllegalArgumentException if {@code blockBits} is out of range or not a multiple of 64
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
   * Returns the layout with the fewest blocks whose false-positive probability at {@code
   * spec.expectedKeys()} is at most {@code spec.falsePositiveRate()}, collisions of 64-bit hashes
   * included.
   *
   * @return a layout with {@link #BLOCK_BITS}; among equally small layouts, that with the fewest
   *     probes
   * @throws IllegalArgumentException if the table would have more bits than {@link
   *     BitTable#MAX_BITS}
   */
  public TableLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    long fewest = sizing(1).minBlocks(keys, rate);
    int probes = 1;
    double before = 1; // the rate with one block and one probe fewer
    for (int k = 2; k <= TableLayout.MAX_PROBES && fewest > 1; k++) {
      double rateOfLess = sizing(k).rate(keys, fewest - 1.0);
      if (rateOfLess <= rate) {
        fewest = sizing(k).minBlocks(keys, rate);
        probes = k;
        before = 1;
      } else if (rateOfLess > before) {
        // The rate has a single minimum over k: more probes only raise it, in smaller tables as
        // well.
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
   * Checks a layout read from a file: it must have the bits per block of this instance and a table
   * of whole blocks.
   *
   * @throws IllegalArgumentException if it does not
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
   * Returns the false-positive probability after insertion of {@code keys} distinct keys whose
   * hashes do not collide, to twelve digits; in blocks with more than 2,047 keys every query is
   * taken for a false positive.
   *
   * @throws IllegalArgumentException if the layout fails {@link #check}
   */
  public double falsePositiveRate(long keys, TableLayout layout) {
    check(layout);
    return sizing(layout.probes()).rate(keys, (double) layout.bits() / bits);
  }

  private BlockSizing sizing(int probes) {
    return sizings.computeIfAbsent(probes, k -> BlockSizing.anywhere(bits, k));
  }

  /**
   * Returns the statistics of a filter's table. The rate is the mean of the rates of the blocks,
   * which is higher than the rate at the mean fill. The number of keys is the sum of the estimates
   * for each block. A block with every bit set counts as if half a bit were clear; in overfull
   * tables, where that is too few, the share of all bits that are clear gives the number.
   *
   * @param spec the specification that the filter was created for
   * @throws IllegalArgumentException if the layout fails {@link #check}
   */
  public FilterStats stats(FilterSpec spec, TableLayout layout, BitTable table) {
    return stats(spec, layout, table::word);
  }

  /** Returns the statistics of a table in a memory-mapped file, as for a table on the heap. */
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
    long blocks = layout.bits() / bits;
    for (int set = 1; set <= bits; set++) {
      setBits += blocksBySetBits[set] * set;
      rates += blocksBySetBits[set] * StrictMath.pow((double) set / bits, probes);
      keys += blocksBySetBits[set] * probesBySetBits[set] / probes;
    }
    if (blocksBySetBits[bits] > 0) {
      double perKey = 1 - StrictMath.pow(1 - 1.0 / bits, probes);
      long clearBits = layout.bits() - setBits;
      keys = Math.max(keys, OverfullBlocks.keys(clearBits, layout.bits(), blocks, perKey));
    }
    return FilterStats.of(spec)
        .sizeInBits(layout.bits())
        .setBits(setBits)
        .falsePositiveRate(Math.min(1, rates / blocks))
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

  // Solves (1 - 1/b)^j, the expected share of clear bits after j probes, for j. By the curvature of
  // the logarithm the mean of that is too large, to second order by the variance of the share over
  // 2 c^2 (c its mean), which is subtracted. The error is small for one block, but does not cancel
  // in a sum over blocks.
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
