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
 * An exact counter for each position of a number of blocks, in as many bits as the counts need.
 *
 * <pre>
 *                 first word   second word
 * present         64 bits      64 bits       which counts are at least 1; what queries read
 * counts          c bits       c bits        what they are, in unary: {@link UnaryCounts}
 * of a spilled    c ones       its number    in {@link SpilledBlocks}, which has the
 * block                                      counts in {@link Planes}, whatever they are
 * </pre>
 *
 * <p>In unary a word takes as many bits as its counts add up to, so that n keys with k positions in
 * each word take n k bits of c: what bits are needed for is keys, not the chance that a counter may
 * be large. A block is spilled as long as the counts of one of its words add up to more than c, and
 * only then: equal counts are equal fields and equal planes.
 *
 * <p>Whoever changes a block, or asks how much a counter holds, must be alone with all blocks of
 * its stripe. Whether a counter is zero may be asked at any time by reading {@link #present}: a
 * word of it is only ever stored as a whole and with its final value, in which a bit is clear only
 * if its count is zero. A counter that stays above zero is thus never seen as zero, whatever
 * happens to others of its word meanwhile.
 *
 * <p>A word and the two masks of a key, the first of which is for that word and the second for the
 * other word of its block, say which counters are meant.
 */
final class Counters implements BlockCounters<Counters> {

  /** Blocks that are written together: an even number, so that words are whole. */
  private static final int CHUNK = 1 << 10;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final CountingLayout layout;
  private final int countBits;
  private final int blockInts;
  private final int most; // what a word's counts may add up to for a key more to fit
  private final BitTable presentTable;
  private final long[] present;
  private final int[] counts; // of each block, as PackedCounts has them
  private final SpilledStripes spilled;

  /** Makes counters that are all zero. */
  Counters(CountingLayout layout, FilterLimits limits, int stripes) {
    // What blocks writers is not the table's business here, so it needs no stripes of its own.
    this(
        layout,
        new BitTable(layout.bits(), ThreadMode.CONFINED),
        allocate(layout.blocks() * layout.countInts()),
        limits,
        stripes);
  }

  /** Makes counters of what was read, without what spilled. */
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

  static int[] allocate(int ints) {
    try {
      return new int[ints];
    } catch (OutOfMemoryError e) {
      // One failed request for one array leaves the heap as it was; say what was asked.
      throw new IllegalArgumentException(
          "the heap must have room for counts of "
              + (long) ints * Integer.BYTES
              + " bytes, but is limited to "
              + Runtime.getRuntime().maxMemory()
              + "; raise -Xmx, or ask for fewer keys or a higher rate",
          e);
    }
  }

  @Override
  public CountingLayout layout() {
    return layout;
  }

  @Override
  public long[] present() {
    return present;
  }

  /** Returns the counts, which tell nothing to those who are not alone with a block. */
  int[] counts() {
    return counts;
  }

  @Override
  public BitTable presentTable() {
    return presentTable;
  }

  /** Returns where the counts of a word's block begin. */
  private int at(int word) {
    return (word >>> 1) * blockInts;
  }

  /** Returns the first word of a block. */
  static int even(int word) {
    return word & -2;
  }

  /** Returns which bits change places for the first of two masks to be that of the even word. */
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
   * Adds one to each of some counters of a block.
   *
   * @return true if one of them was zero
   * @throws FilterFullException if one cannot go higher, or if there is no room; nothing has
   *     changed
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
    // The field of a spilled block is all ones, which alone add up to more.
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

  /** Does the same for any block. */
  // Called last: what add needed after a call, the compiler would keep in memory for every key.
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

  /** Moves the counts of a block to planes, and adds one to some that are above zero. */
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
   * Takes one from each of some counters of a block, if none of them is zero.
   *
   * @return false if one is; nothing has changed
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

  /** Returns what the counts of a word add up to, in a block that is not spilled. */
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
    for (int i = 0; i < blocks; i++) {
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
