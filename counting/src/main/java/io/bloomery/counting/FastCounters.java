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
 * An exact counter for each position of the blocks of a filter, in a form in which most updates
 * take a few operations on whole words.
 *
 * <pre>
 *                  first word   second word
 * present          64 bits      64 bits       which counts are above zero; queries read only this
 * twice            64 bits      64 bits       which counts are at least 2
 * list             32 bits for both           the counts above 2: {@link CountList}
 *   if spilled     all ones     all ones      twice
 *                  a number                   the block's number in {@link SpilledBlocks}, in
 *                                             place of the list
 * </pre>
 *
 * <p>A block is spilled if and only if its list would exceed {@link CountList#MAX} entries; equal
 * counts therefore have equal words and equal planes, and lists that are equal once sorted.
 *
 * <p>The rules for threads and the meaning of a word and two masks are those of {@link Counters}.
 */
final class FastCounters implements BlockCounters<FastCounters> {
  // decisions.md#a-counting-fast-block-keeps-which-counts-are-at-least-2-and-a-list-of-four-entries-for-what-is-above

  /** The number of lists written together: even, for whole words. */
  private static final int CHUNK = 1 << 12;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final CountingLayout layout;
  private final BitTable presentTable;
  private final BitTable twiceTable;
  private final long[] present;
  private final long[] twice;
  private final int[] lists;
  private final SpilledStripes spilled;

  /** Creates counters from the content of a file, without spilled blocks. */
  FastCounters(
      CountingLayout layout,
      BitTable present,
      BitTable twice,
      int[] lists,
      SpilledStripes spilled) {
    this.layout = layout;
    this.presentTable = present;
    this.twiceTable = twice;
    this.present = present.sharedWords();
    this.twice = twice.sharedWords();
    this.lists = lists;
    this.spilled = spilled;
  }

  /** Creates counters that are all zero. */
  static FastCounters empty(CountingLayout layout, FilterLimits limits, int stripes) {
    return new FastCounters(
        layout,
        new BitTable(layout.bits(), ThreadMode.CONFINED),
        new BitTable(layout.bits(), ThreadMode.CONFINED),
        new int[layout.blocks()],
        new SpilledStripes(new SpillRoom(limits, layout), stripes));
  }

  @Override
  public CountingLayout layout() {
    return layout;
  }

  @Override
  public long[] present() {
    return present;
  }

  /**
   * Returns which counts are at least 2; those of a block may only be read with its stripe locked.
   */
  long[] twice() {
    return twice;
  }

  /** Returns the lists of all blocks; each may only be read with the stripe of its block locked. */
  int[] lists() {
    return lists;
  }

  @Override
  public BitTable presentTable() {
    return presentTable;
  }

  @Override
  public SpilledStripes spilled() {
    return spilled;
  }

  @Override
  public FastCounters self() {
    return this;
  }

  @Override
  public int number(int even) {
    int list = lists[even >>> 1];
    return CountList.isSpilled(list) ? CountList.number(list) : SpilledBlocks.NEW;
  }

  @Override
  public void setSpilled(int even, int number) {
    lists[even >>> 1] = CountList.ofSpilled(number);
    twice[even] = -1;
    twice[even + 1] = -1;
  }

  @Override
  public void setPresent(int word, long first, long second) {
    WORDS.setOpaque(present, word, first);
    WORDS.setOpaque(present, BlockProbes.other(word), second);
  }

  /**
   * Increments some counters of a block.
   *
   * @return true if any of them was zero
   * @throws FilterFullException if one has the largest value, or memory or the limit of the filter
   *     does not suffice; nothing has changed
   */
  boolean add(int word, long first, long second) {
    int other = BlockProbes.other(word);
    long n0 = present[word];
    long n1 = present[other];
    long t0 = twice[word];
    long t1 = twice[other];
    long was0 = first & n0;
    long was1 = second & n1;
    // In a spilled block any present count may exceed 2; counts of zero are not in its planes.
    if (((was0 & t0) | (was1 & t1)) != 0) {
      return addBeyondTwice(word, first, second);
    }
    twice[word] = t0 | was0;
    twice[other] = t1 | was1;
    boolean isNew = ((first ^ was0) | (second ^ was1)) != 0;
    if (isNew) {
      setPresent(word, n0 | first, n1 | second);
    }
    return isNew;
  }

  /** Does the same if counts may exceed 2, nearly always one of them. */
  // Without unpredictable branches, such as on the word that the count is in.
  private boolean addBeyondTwice(int word, long first, long second) {
    int other = BlockProbes.other(word);
    long n0 = present[word];
    long n1 = present[other];
    long t0 = twice[word];
    long t1 = twice[other];
    long more0 = first & t0;
    long more1 = second & t1;
    int list = lists[word >>> 1];
    int more = Long.bitCount(more0) + Long.bitCount(more1);
    // The size field of a spilled block exceeds the maximum.
    if (more > 1 || CountList.size(list) >= CountList.MAX) {
      return addSeveral(word, first, second);
    }
    int at = Long.numberOfTrailingZeros(more0); // 64 if it has none
    at += Long.numberOfTrailingZeros(more1) & -(at >>> 6);
    lists[word >>> 1] = CountList.with(list, at ^ ((word & 1) << 6));
    twice[word] = t0 | (first & n0);
    twice[other] = t1 | (second & n1);
    boolean isNew = ((first & ~n0) | (second & ~n1)) != 0;
    if (isNew) {
      setPresent(word, n0 | first, n1 | second);
    }
    return isNew;
  }

  /** Does the same for any counters. */
  // Large enough that the compiler never inlines it into the methods above.
  private boolean addSeveral(int word, long first, long second) {
    int even = Counters.even(word);
    long swap = Counters.swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    long n0 = present[even];
    long n1 = present[even + 1];
    long was0 = mask0 & n0;
    long was1 = mask1 & n1;
    int list = lists[even >>> 1];
    if (CountList.isSpilled(list)) {
      setSpilled(even, spilled.of(even).increment(CountList.number(list), was0, was1));
    } else {
      long more0 = was0 & twice[even];
      long more1 = was1 & twice[even + 1];
      int size = CountList.size(list) + Long.bitCount(more0) + Long.bitCount(more1);
      if (size <= CountList.MAX) {
        lists[even >>> 1] = CountList.withAll(list, more0, more1);
        twice[even] |= was0;
        twice[even + 1] |= was1;
      } else {
        long[] planes;
        SpilledBlocks blocks;
        try {
          blocks = spilled.of(even);
          planes = planes(even);
          if (Planes.areFull(planes, Planes.used(planes), was0, was1)) {
            planes = Arrays.copyOf(planes, planes.length + 2);
          }
        } catch (OutOfMemoryError e) {
          throw SpilledBlocks.noMemory(e);
        }
        Planes.increment(planes, was0, was1);
        setSpilled(even, blocks.add(planes));
      }
    }
    boolean isNew = ((mask0 ^ was0) | (mask1 ^ was1)) != 0;
    if (isNew) {
      setPresent(even, n0 | mask0, n1 | mask1);
    }
    return isNew;
  }

  @Override
  public long[] planes(int even) {
    int list = lists[even >>> 1];
    return CountList.isSpilled(list)
        ? spilled.of(even).get(CountList.number(list))
        : Planes.ofList(twice[even], twice[even + 1], list);
  }

  /**
   * Decrements some counters of a block, if none of them is zero.
   *
   * @return false if one is zero; nothing has changed
   */
  boolean remove(int word, long first, long second) {
    int other = BlockProbes.other(word);
    long n0 = present[word];
    long n1 = present[other];
    if (((first & ~n0) | (second & ~n1)) != 0) {
      return false;
    }
    long t0 = twice[word];
    long t1 = twice[other];
    if ((CountList.mayHave(lists[word >>> 1], (first & t0) | (second & t1)) & 1) != 0) {
      removeBeyondTwice(word, first, second);
      return true;
    }
    twice[word] = t0 & ~first;
    twice[other] = t1 & ~second;
    long once0 = first & ~t0;
    long once1 = second & ~t1;
    if ((once0 | once1) != 0) {
      setPresent(word, n0 ^ once0, n1 ^ once1);
    }
    return true;
  }

  /** Does the same if counts may be above 2, nearly always one of them. */
  // Branch-free, as in add. An entry belongs to the key if the key has its position in its word.
  private void removeBeyondTwice(int word, long first, long second) {
    int other = BlockProbes.other(word);
    int list = lists[word >>> 1];
    long t0 = twice[word];
    long t1 = twice[other];
    int candidate = CountList.candidates(list, (first & t0) | (second & t1));
    if (CountList.needsSearch(list, candidate)) {
      removeSeveral(word, first, second);
      return;
    }
    int at = CountList.position(list, candidate) ^ ((word & 1) << 6);
    long bit = (long) Integer.bitCount(candidate) << at; // none without a candidate
    long ofSecond = -(at >>> 6);
    long in0 = first & t0 & bit & ~ofSecond;
    long in1 = second & t1 & bit & ofSecond;
    lists[word >>> 1] = CountList.without(list, candidate & -(int) ((in0 | in1) >>> at));
    long left0 = first ^ in0;
    long left1 = second ^ in1;
    twice[word] = t0 & ~left0;
    twice[other] = t1 & ~left1;
    setPresent(word, present[word] ^ (left0 & ~t0), present[other] ^ (left1 & ~t1));
  }

  /** Does the same for any counters, all of which are above zero. */
  // Large enough not to be inlined, as addSeveral is.
  private void removeSeveral(int word, long first, long second) {
    int even = Counters.even(word);
    long swap = Counters.swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    int list = lists[even >>> 1];
    long once0;
    long once1;
    if (CountList.isSpilled(list)) {
      SpilledBlocks blocks = spilled.of(even);
      int number = CountList.number(list);
      long[] planes = blocks.get(number);
      int used = Planes.used(planes);
      once0 = Planes.decrement(planes, 0, mask0);
      once1 = Planes.decrement(planes, 1, mask1);
      if (Planes.fitList(planes)) {
        twice[even] = Planes.above(planes, 0);
        twice[even + 1] = Planes.above(planes, 1);
        lists[even >>> 1] = Planes.toList(planes);
        blocks.remove(number, used);
      } else {
        blocks.shrink(number, used, planes);
      }
    } else {
      for (int i = CountList.size(list) - 1; i >= 0; i--) {
        int at = CountList.entry(list, i);
        long bit = 1L << at;
        long in0 = at < Long.SIZE ? mask0 & bit : 0;
        long in1 = at < Long.SIZE ? 0 : mask1 & bit;
        if ((in0 | in1) != 0) {
          list = CountList.withoutEntry(list, i);
          mask0 ^= in0;
          mask1 ^= in1;
        }
      }
      lists[even >>> 1] = list;
      once0 = mask0 & ~twice[even];
      once1 = mask1 & ~twice[even + 1];
      twice[even] &= ~mask0;
      twice[even + 1] &= ~mask1;
    }
    setPresent(even, present[even] ^ once0, present[even + 1] ^ once1);
  }

  @Override
  public long min(int word, long first, long second) {
    int even = Counters.even(word);
    long swap = Counters.swap(word, first, second);
    long mask0 = first ^ swap;
    long mask1 = second ^ swap;
    if (((mask0 & ~present[even]) | (mask1 & ~present[even + 1])) != 0) {
      return 0;
    }
    if (number(even) == SpilledBlocks.NEW
        && ((mask0 & ~twice[even]) | (mask1 & ~twice[even + 1])) != 0) {
      return 1;
    }
    long[] planes = planes(even);
    return Math.min(Planes.min(planes, 0, mask0), Planes.min(planes, 1, mask1));
  }

  @Override
  public boolean spillsWith(FastCounters other, int even) {
    int list = lists[even >>> 1];
    int more = other.lists[even >>> 1];
    if (CountList.isSpilled(list) || CountList.isSpilled(more)) {
      return true;
    }
    return CountList.size(list)
            + CountList.size(more)
            + beyondTwice(other, even)
            + beyondTwice(other, even + 1)
        > CountList.MAX;
  }

  /**
   * Returns the number of entries that the sums of a word's counts need beyond those of both lists.
   */
  private int beyondTwice(FastCounters other, int word) {
    long was = other.present[word] & present[word];
    return Long.bitCount(was & twice[word])
        + Long.bitCount(other.twice[word] & (twice[word] | was));
  }

  @Override
  public void addBlock(FastCounters other, int even) {
    addLevel(even, other.present[even], other.present[even + 1]);
    addLevel(even, other.twice[even], other.twice[even + 1]);
    lists[even >>> 1] = CountList.withAll(lists[even >>> 1], other.lists[even >>> 1]);
  }

  /** Increments some counters of a block that is not spilled by it. */
  private void addLevel(int even, long mask0, long mask1) {
    long n0 = present[even];
    long n1 = present[even + 1];
    long was0 = mask0 & n0;
    long was1 = mask1 & n1;
    int at = even >>> 1;
    lists[at] = CountList.withAll(lists[at], was0 & twice[even], was1 & twice[even + 1]);
    twice[even] |= was0;
    twice[even + 1] |= was1;
    setPresent(even, n0 | mask0, n1 | mask1);
  }

  @Override
  public void writeRecords(PayloadOutput out) throws IOException {
    twiceTable.write(out);
    for (int from = 0; from < lists.length; from += CHUNK) {
      int[] chunk = Arrays.copyOfRange(lists, from, Math.min(from + CHUNK, lists.length));
      for (int i = 0; i < chunk.length; i++) {
        chunk[i] =
            CountList.isSpilled(chunk[i])
                ? CountList.ofSpilled(planesInUse(2 * (from + i)))
                : CountList.sorted(chunk[i]);
      }
      CounterFormat.writeInts(chunk, out);
    }
  }

  @Override
  public FastCounters copy() {
    return new FastCounters(
        layout, presentTable.copy(), twiceTable.copy(), lists.clone(), spilled.copy());
  }

  @Override
  public void clear() {
    presentTable.clear();
    twiceTable.clear();
    Arrays.fill(lists, CountList.EMPTY);
    spilled.clear();
  }
}
