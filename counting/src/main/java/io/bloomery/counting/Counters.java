package io.bloomery.counting;

import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * An exact counter for each position of the blocks of a filter, in as few bits as possible.
 *
 * <pre>
 *                  first word   second word
 * present          64 bits      64 bits       which counts are above zero; queries read only this
 * counts           c bits       c bits        the counts above zero, in unary: {@link UnaryCounts}
 *   if spilled     c ones       a number      the block's number in {@link SpilledBlocks}, which
 *                                             stores counts of any size in {@link Planes}
 * </pre>
 *
 * <p>A count of i takes i bits in unary, so that the counts of a word take as many bits as its keys
 * have positions in it: the space depends on the number of keys, not on the largest count that is
 * possible. A block is spilled if and only if the counts of one of its words add up to more than c;
 * equal counts therefore have equal representations.
 *
 * <p>A caller that changes a block or reads the size of a count must hold the lock of the block's
 * stripe. Whether a count is zero can be read from {@link #present} at any time without a lock: a
 * word of it is only stored as a whole and with its final value, in which a bit is clear only if
 * its count is zero. A count that stays above zero is thus never seen as zero, whatever happens to
 * other counts of its word meanwhile.
 *
 * <p>The counters of a key are given by its first word and two masks, one for that word and one for
 * the other word of its block.
 */
final class Counters implements BlockCounters<Counters> {
  // decisions.md#a-count-goes-up-or-down-by-one-without-a-jump-if-it-is-0-1-or-2

  /** The number of blocks written together: even, for whole words. */
  private static final int CHUNK = 1 << 10;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final CountingLayout layout;
  private final int countBits;
  private final int blockInts;
  private final int most; // sum of a word's counts up to which one more key fits
  private final BitTable presentTable;
  private final long[] present;
  private final int[] counts; // of each block, in the form of PackedCounts
  private final SpilledStripes spilled;

  /** Creates counters that are all zero. */
  Counters(CountingLayout layout, FilterLimits limits, int stripes) {
    // The filter has the locks, so the table needs none.
    this(
        layout,
        new BitTable(layout.bits(), ThreadMode.CONFINED),
        new int[layout.blocks() * layout.countInts()],
        limits,
        stripes);
  }

  /** Creates counters from the content of a file, without spilled blocks. */
  Counters(
      CountingLayout layout, BitTable present, int[] counts, FilterLimits limits, int stripes) {
    this(layout, present, counts, new SpilledStripes(new SpillRoom(limits, layout), stripes));
  }

  private Counters(CountingLayout layout, BitTable present, int[] counts, SpilledStripes spilled) {
    this.layout = layout;
    this.countBits = layout.countBits();
    this.blockInts = layout.countInts();
    this.most = countBits - layout.probesPerWord();
    this.presentTable = present;
    this.present = present.sharedWords();
    this.counts = counts;
    this.spilled = spilled;
  }

  @Override
  public CountingLayout layout() {
    return layout;
  }

  @Override
  public long[] present() {
    return present;
  }

  /** Returns the counts; those of a block may only be read with its stripe locked. */
  int[] counts() {
    return counts;
  }

  @Override
  public BitTable presentTable() {
    return presentTable;
  }

  /** Returns the index in {@link #counts} of the counts of a word's block. */
  private int at(int word) {
    return (word >>> 1) * blockInts;
  }

  /** Returns the first word of a block. */
  static int even(int word) {
    return word & -2;
  }

  /** Returns the bits to exchange between two masks, so that the first is that of the even word. */
  static long swap(int word, long first, long second) {
    return (first ^ second) & -(word & 1L);
  }

  @Override
  public SpilledStripes spilled() {
    return spilled;
  }

  @Override
  public Counters self() {
    return this;
  }

  private boolean isSpilled(int at) {
    return PackedCounts.first(counts, at, countBits) == PackedCounts.mask(countBits);
  }

  private int numberAt(int at) {
    return (int) PackedCounts.second(counts, at, countBits);
  }

  @Override
  public int number(int even) {
    int at = at(even);
    return isSpilled(at) ? numberAt(at) : SpilledBlocks.NEW;
  }

  @Override
  public void setSpilled(int even, int number) {
    PackedCounts.set(counts, at(even), countBits, PackedCounts.mask(countBits), number);
  }

  @Override
  public void setPresent(int even, long first, long second) {
    WORDS.setOpaque(present, even, first);
    WORDS.setOpaque(present, even + 1, second);
  }

  /**
   * Increments the counters of a key.
   *
   * @return true if any of them was zero
   * @throws FilterFullException if one has the largest value, or memory or the limit of the filter
   *     does not suffice; nothing has changed
   */
  boolean add(int word, long first, long second) {
    int even = even(word);
    int at = at(word);
    long swap = swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    long n0 = present[even];
    long n1 = present[even + 1];
    long x0 = PackedCounts.first(counts, at, countBits);
    long x1 = PackedCounts.second(counts, at, countBits);
    // The field of a spilled block, all ones, has a larger sum.
    if (UnaryCounts.sum(n0, x0) > most || UnaryCounts.sum(n1, x1) > most) {
      return addToFull(even, mask0, mask1);
    }
    long y0 = UnaryCounts.raiseAll(n0, x0, mask0);
    long y1 = UnaryCounts.raiseAll(n1, x1, mask1);
    if (y0 == UnaryCounts.HIGHER || y1 == UnaryCounts.HIGHER) {
      return addToFull(even, mask0, mask1);
    }
    PackedCounts.set(counts, at, countBits, y0, y1);
    boolean isNew = ((mask0 & ~n0) | (mask1 & ~n1)) != 0;
    if (isNew) {
      setPresent(even, n0 | mask0, n1 | mask1);
    }
    return isNew;
  }

  /** Increments the counters of a key in a block of any state. */
  // Called as a tail call: values needed after a call would be spilled to the stack for every key.
  private boolean addToFull(int even, long mask0, long mask1) {
    int at = at(even);
    long n0 = present[even];
    long n1 = present[even + 1];
    if (isSpilled(at)) {
      setSpilled(even, spilled.of(even).increment(numberAt(at), mask0 & n0, mask1 & n1));
    } else {
      long x0 = PackedCounts.first(counts, at, countBits);
      long x1 = PackedCounts.second(counts, at, countBits);
      if (UnaryCounts.sum(n0, x0) + Long.bitCount(mask0) <= countBits
          && UnaryCounts.sum(n1, x1) + Long.bitCount(mask1) <= countBits) {
        PackedCounts.set(
            counts,
            at,
            countBits,
            UnaryCounts.incrementAll(n0, x0, mask0),
            UnaryCounts.incrementAll(n1, x1, mask1));
      } else {
        spill(even, mask0 & n0, mask1 & n1);
      }
    }
    boolean isNew = ((mask0 & ~n0) | (mask1 & ~n1)) != 0;
    if (isNew) {
      setPresent(even, n0 | mask0, n1 | mask1);
    }
    return isNew;
  }

  /** Moves the counts of a block to planes, and increments some that are above zero. */
  private void spill(int even, long mask0, long mask1) {
    long[] planes;
    SpilledBlocks blocks;
    try {
      blocks = spilled.of(even);
      planes = planes(even);
      if (Planes.areFull(planes, Planes.used(planes), mask0, mask1)) {
        planes = Arrays.copyOf(planes, planes.length + 2);
      }
    } catch (OutOfMemoryError e) {
      throw SpilledBlocks.noMemory(e);
    }
    Planes.increment(planes, mask0, mask1);
    setSpilled(even, blocks.add(planes));
  }

  @Override
  public long[] planes(int even) {
    int at = at(even);
    return isSpilled(at)
        ? spilled.of(even).get(numberAt(at))
        : Planes.ofUnary(
            present[even],
            PackedCounts.first(counts, at, countBits),
            present[even + 1],
            PackedCounts.second(counts, at, countBits));
  }

  /**
   * Decrements the counters of a key, if none of them is zero.
   *
   * @return false if one is zero; nothing has changed
   */
  boolean remove(int word, long first, long second) {
    int even = even(word);
    int at = at(word);
    long swap = swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    long n0 = present[even];
    long n1 = present[even + 1];
    if (((mask0 & ~n0) | (mask1 & ~n1)) != 0) {
      return false;
    }
    long x0 = PackedCounts.first(counts, at, countBits);
    long x1 = PackedCounts.second(counts, at, countBits);
    if (x0 == PackedCounts.mask(countBits)) {
      removeFromSpilled(even, mask0, mask1);
      return true;
    }
    long twice0 = UnaryCounts.twiceOf(n0, x0, mask0);
    long twice1 = UnaryCounts.twiceOf(n1, x1, mask1);
    long y0 = UnaryCounts.lowerAll(n0, x0, mask0, twice0);
    long y1 = UnaryCounts.lowerAll(n1, x1, mask1, twice1);
    if (y0 == UnaryCounts.HIGHER || y1 == UnaryCounts.HIGHER) {
      y0 = UnaryCounts.decrementAll(n0, x0, mask0);
      y1 = UnaryCounts.decrementAll(n1, x1, mask1);
    }
    PackedCounts.set(counts, at, countBits, y0, y1);
    long once0 = mask0 ^ twice0;
    long once1 = mask1 ^ twice1;
    if ((once0 | once1) != 0) {
      setPresent(even, n0 ^ once0, n1 ^ once1);
    }
    return true;
  }

  private void removeFromSpilled(int even, long mask0, long mask1) {
    int at = at(even);
    SpilledBlocks blocks = spilled.of(even);
    int number = numberAt(at);
    long[] planes = blocks.get(number);
    int used = Planes.used(planes);
    long n0 = present[even] ^ Planes.decrement(planes, 0, mask0);
    long n1 = present[even + 1] ^ Planes.decrement(planes, 1, mask1);
    if (Planes.fit(planes, 0, n0, countBits) && Planes.fit(planes, 1, n1, countBits)) {
      PackedCounts.set(
          counts, at, countBits, Planes.toUnary(planes, 0, n0), Planes.toUnary(planes, 1, n1));
      blocks.remove(number, used);
    } else {
      blocks.shrink(number, used, planes);
    }
    setPresent(even, n0, n1);
  }

  @Override
  public long min(int word, long first, long second) {
    int even = even(word);
    long swap = swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    if (((mask0 & ~present[even]) | (mask1 & ~present[even + 1])) != 0) {
      return 0;
    }
    int at = at(word);
    if (isSpilled(at)) {
      long[] planes = spilled.of(word).get(numberAt(at));
      return Math.min(Planes.min(planes, 0, mask0), Planes.min(planes, 1, mask1));
    }
    return Math.min(
        UnaryCounts.min(present[even], PackedCounts.first(counts, at, countBits), mask0),
        UnaryCounts.min(present[even + 1], PackedCounts.second(counts, at, countBits), mask1));
  }

  @Override
  public boolean spillsWith(Counters other, int even) {
    int at = at(even);
    if (isSpilled(at) || other.isSpilled(at)) {
      return true;
    }
    return sum(even) + other.sum(even) > countBits
        || sum(even + 1) + other.sum(even + 1) > countBits;
  }

  /** Returns the sum of a word's counts, in a block that is not spilled. */
  private int sum(int word) {
    return UnaryCounts.sum(present[word], field(word));
  }

  private long field(int word) {
    return (word & 1) == 0
        ? PackedCounts.first(counts, at(word), countBits)
        : PackedCounts.second(counts, at(word), countBits);
  }

  @Override
  public void addBlock(Counters other, int even) {
    PackedCounts.set(
        counts,
        at(even),
        countBits,
        UnaryCounts.addAll(present[even], field(even), other.present[even], other.field(even)),
        UnaryCounts.addAll(
            present[even + 1], field(even + 1), other.present[even + 1], other.field(even + 1)));
    setPresent(
        even, present[even] | other.present[even], present[even + 1] | other.present[even + 1]);
  }

  @Override
  public void writeRecords(PayloadOutput out) throws IOException {
    for (int from = 0; from < layout.blocks(); from += CHUNK) {
      writeCounts(from, Math.min(CHUNK, layout.blocks() - from), out);
    }
  }

  private void writeCounts(int from, int blocks, PayloadOutput out) throws IOException {
    int[] ints = Arrays.copyOfRange(counts, from * blockInts, (from + blocks) * blockInts);
    boolean anySpilled = spilled.room().used() > 0;
    for (int i = 0; anySpilled && i < blocks; i++) {
      int used = planesInUse(2 * (from + i));
      if (used > 0) {
        PackedCounts.set(ints, i * blockInts, countBits, PackedCounts.mask(countBits), used);
      }
    }
    CounterFormat.writeInts(ints, out);
  }

  @Override
  public Counters copy() {
    return new Counters(layout, presentTable.copy(), counts.clone(), spilled.copy());
  }

  @Override
  public void clear() {
    presentTable.clear();
    Arrays.fill(counts, 0);
    spilled.clear();
  }
}
