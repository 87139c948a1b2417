package io.bloomery.counting;

import io.bloomery.FilterLimits;
import io.bloomery.PayloadInput;
import io.bloomery.PayloadOutput;
import io.bloomery.ThreadMode;
import io.bloomery.internal.HeapLimit;
import io.bloomery.spi.BitTable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An exact counter for each position of a number of blocks, sliced into planes of bits so that all
 * counters of a word change in a few steps.
 *
 * <pre>
 * count    present  low  high  overflow
 * 0        0        0    0
 * 1        1        0    0
 * 2        1        1    0
 * 3        1        0    1
 * 4        1        1    1
 * 4 + e    1        1    1     e
 * </pre>
 *
 * <p>The plane "present" lies apart, so that queries read nothing else. "Low" and "high" hold count
 * - 1, two words after each other for each word of "present". What exceeds four is kept in a map
 * for each stripe. Equal counts are equal words and equal maps.
 *
 * <p>Whoever changes a block, or asks how much a counter holds, must be alone with all blocks of
 * its stripe. Whether a counter is zero may be asked at any time by reading {@link #present}: a
 * word of it is only ever stored as a whole and with its final value, in which a bit is clear only
 * if its count is zero. A counter that stays above zero is thus never seen as zero, whatever
 * happens to others of its word meanwhile.
 */
final class Counters {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Words for each that says "at least one". */
  private static final int COUNT_WORDS = 2;

  private final CountingLayout layout;
  private final BitTable presentTable;
  private final BitTable countTable;
  private final long[] present;
  private final long[] counts;
  private final OverflowRoom room;
  private final Overflow[] overflow; // by stripe; their number is a power of two

  /** Makes counters that are all zero. */
  Counters(CountingLayout layout, FilterLimits limits, int stripes) {
    // What blocks writers is not the tables' business here, so they need no stripes of their own.
    this(
        layout,
        new BitTable(layout.bits(), ThreadMode.CONFINED),
        new BitTable(countBits(layout), ThreadMode.CONFINED),
        new OverflowRoom(limits, layout, 0),
        new Overflow[stripes]);
    Arrays.setAll(overflow, i -> new Overflow(room));
  }

  private Counters(
      CountingLayout layout,
      BitTable presentTable,
      BitTable countTable,
      OverflowRoom room,
      Overflow[] overflow) {
    this.layout = layout;
    this.room = room;
    this.presentTable = presentTable;
    this.countTable = countTable;
    this.present = presentTable.words();
    this.counts = countTable.words();
    this.overflow = overflow;
  }

  private static long countBits(CountingLayout layout) {
    return layout.bitsOfAllPlanes() - layout.bits();
  }

  /** Returns the plane that says which counters are above zero; others may write to it. */
  long[] present() {
    return present;
  }

  /** Returns the other planes, which tell nothing to those who are not alone with a block. */
  long[] counts() {
    return counts;
  }

  /** Returns the overflow of the block that a position lies in. */
  Overflow overflowOf(long position) {
    return overflow[stripe(position)];
  }

  private int stripe(long position) {
    return (int) (position / CountingLayout.BLOCK_BITS) & (overflow.length - 1);
  }

  private Overflow overflowOf(int word) {
    return overflowOf((long) word * Long.SIZE);
  }

  /** Returns where the lower bits of a word's counts lie; the higher bits lie behind them. */
  static int counts(int word) {
    return word * COUNT_WORDS;
  }

  /**
   * Adds one to each of some counters of a block.
   *
   * @param word a word of it
   * @param first which of its counters
   * @param second which of the counters of the other word
   * @return true if one of them was zero
   * @throws io.bloomery.FilterFullException if one cannot go higher; nothing has changed
   */
  boolean add(int word, long first, long second) {
    long[] present = this.present;
    long[] counts = this.counts;
    int other = BlockProbes.other(word);
    int c = counts(word);
    int d = counts(other);
    long p0 = counts[c];
    long r0 = counts[c + 1];
    long p1 = counts[d];
    long r1 = counts[d + 1];
    if (((first & p0 & r0) | (second & p1 & r1)) != 0) {
      return addToFull(word, first, second);
    }
    long n0 = present[word];
    long n1 = present[other];
    long carry0 = first & n0;
    long carry1 = second & n1;
    counts[c] = p0 ^ carry0;
    counts[c + 1] = r0 ^ (carry0 & p0);
    counts[d] = p1 ^ carry1;
    counts[d + 1] = r1 ^ (carry1 & p1);
    long missing = (first & ~n0) | (second & ~n1);
    if (missing != 0) {
      WORDS.setOpaque(present, word, n0 | first);
      WORDS.setOpaque(present, other, n1 | second);
    }
    return missing != 0;
  }

  // Called last: what add needed after a call, the compiler would keep in memory for every key.
  private boolean addToFull(int word, long first, long second) {
    long full0 = first & full(word);
    long full1 = second & full(BlockProbes.other(word));
    overflowOf(word).increment(word, full0, full1);
    return add(word, first & ~full0, second & ~full1);
  }

  /**
   * Takes one from each of some counters of a block, if none of them is zero.
   *
   * @param word a word of it
   * @param first which of its counters
   * @param second which of the counters of the other word
   * @return false if one is; nothing has changed
   */
  boolean remove(int word, long first, long second) {
    long[] present = this.present;
    int other = BlockProbes.other(word);
    if (((first & ~present[word]) | (second & ~present[other])) != 0) {
      return false;
    }
    if (((first & full(word)) | (second & full(other))) != 0) {
      removeFromFull(word, first, second);
    } else {
      subtract(word, first, second);
    }
    return true;
  }

  // Of those at four, some have more beyond and stay at four; the others are as all others.
  private void removeFromFull(int word, long first, long second) {
    int other = BlockProbes.other(word);
    long beyond0 = overflowOf(word).decrement(word, first & full(word));
    long beyond1 = overflowOf(word).decrement(other, second & full(other));
    subtract(word, first & ~beyond0, second & ~beyond1);
  }

  /** Takes one from each of some counters of a block that are above zero and not beyond four. */
  private void subtract(int word, long first, long second) {
    long[] present = this.present;
    long[] counts = this.counts;
    int other = BlockProbes.other(word);
    int c = counts(word);
    int d = counts(other);
    long p0 = counts[c];
    long r0 = counts[c + 1];
    long p1 = counts[d];
    long r1 = counts[d + 1];
    long one0 = first & ~(p0 | r0);
    long one1 = second & ~(p1 | r1);
    long more0 = first ^ one0;
    long more1 = second ^ one1;
    counts[c] = p0 ^ more0;
    counts[c + 1] = r0 ^ (more0 & ~p0);
    counts[d] = p1 ^ more1;
    counts[d + 1] = r1 ^ (more1 & ~p1);
    if ((one0 | one1) != 0) {
      WORDS.setOpaque(present, word, present[word] ^ one0);
      WORDS.setOpaque(present, other, present[other] ^ one1);
    }
  }

  /**
   * Returns the least of some counters of a block.
   *
   * @param word a word of it
   * @param first which of its counters
   * @param second which of the counters of the other word
   */
  long min(int word, long first, long second) {
    int other = BlockProbes.other(word);
    if (((first & ~present[word]) | (second & ~present[other])) != 0) {
      return 0;
    }
    int c = counts(word);
    int d = counts(other);
    long low0 = first & ~counts[c];
    long high0 = first & ~counts[c + 1];
    long low1 = second & ~counts[d];
    long high1 = second & ~counts[d + 1];
    if (((low0 & high0) | (low1 & high1)) != 0) {
      return 1;
    }
    if ((high0 | high1) != 0) {
      return 2;
    }
    if ((low0 | low1) != 0) {
      return 3;
    }
    return 4 + overflowOf(word).min(word, first, second);
  }

  /**
   * Adds all counts of {@code other}, which has the same layout and may not change meanwhile.
   *
   * @throws IllegalArgumentException if a sum could be too large; nothing has changed
   * @throws io.bloomery.FilterFullException if too many positions would overflow; nothing has
   *     changed
   */
  void addAll(Counters other) {
    long here = largestOverflow();
    long there = other.largestOverflow();
    if (here + there > Overflow.MAX - 4) {
      throw new IllegalArgumentException(
          "counts must add up to less than "
              + Overflow.MAX
              + ", but are up to "
              + (here + 4)
              + " here and "
              + (there + 4)
              + " there");
    }
    // Counted only where it matters, since it takes as long as merging.
    room.take(room.isLimited() ? overflowWith(other) - entries() : 0);
    for (int word = 0; word < present.length; word++) {
      if (other.present[word] != 0) {
        addWord(other, word);
      }
    }
    for (Overflow more : other.overflow) {
      more.addTo(this);
    }
  }

  /** Adds counters of a word, all at once: count - 1 of both and, where both are present, one. */
  private void addWord(Counters other, int word) {
    int low = counts(word);
    int high = low + 1;
    long both = present[word] & other.present[word];
    long p = counts[low];
    long q = other.counts[low];
    long r = counts[high];
    long s = other.counts[high];
    long carry = (p & q) | (both & (p ^ q));
    long sumLow = p ^ q ^ both;
    long sumHigh = r ^ s ^ carry;
    long beyond = (r & s) | (carry & (r ^ s));
    counts[low] = sumLow | beyond;
    counts[high] = sumHigh | beyond;
    WORDS.setOpaque(present, word, present[word] | other.present[word]);
    long base = (long) word * Long.SIZE;
    for (long left = beyond; left != 0; left &= left - 1) {
      int bit = Long.numberOfTrailingZeros(left);
      // Sums of 5 to 8 are 4 to 7 here, of which the planes keep the first three.
      overflowOf(base).add(base + bit, 1 + (sumLow >>> bit & 1) + 2 * (sumHigh >>> bit & 1));
    }
  }

  /** Returns how many positions would overflow with all counts of {@code other} added. */
  private long overflowWith(Counters other) {
    long positions = 0;
    for (int word = 0; word < present.length; word++) {
      int low = counts(word);
      long both = present[word] & other.present[word];
      long p = counts[low];
      long q = other.counts[low];
      long r = counts[low + 1];
      long s = other.counts[low + 1];
      long carry = (p & q) | (both & (p ^ q));
      long beyond = (r & s) | (carry & (r ^ s));
      positions += Long.bitCount(beyond | overflowing(word) | other.overflowing(word));
    }
    return positions;
  }

  /** Returns which positions of a word overflow. */
  private long overflowing(int word) {
    long base = (long) word * Long.SIZE;
    long positions = 0;
    for (long left = full(word); left != 0; left &= left - 1) {
      int bit = Long.numberOfTrailingZeros(left);
      positions |= overflowOf(base).get(base + bit) > 0 ? 1L << bit : 0;
    }
    return positions;
  }

  private long largestOverflow() {
    long largest = 0;
    for (Overflow stripe : overflow) {
      largest = Math.max(largest, stripe.largest());
    }
    return largest;
  }

  Counters copy() {
    OverflowRoom roomOfCopy = room.copy();
    Overflow[] copies = new Overflow[overflow.length];
    Arrays.setAll(copies, i -> overflow[i].copy(roomOfCopy));
    return new Counters(layout, presentTable.copy(), countTable.copy(), roomOfCopy, copies);
  }

  void clear() {
    presentTable.clear();
    countTable.clear();
    room.clear();
    Arrays.setAll(overflow, i -> new Overflow(room));
  }

  long payloadSize() {
    return layout.bytesOfAllPlanes() + entries() * (OverflowEntries.WORDS * Long.BYTES);
  }

  private long entries() {
    long entries = 0;
    for (Overflow stripe : overflow) {
      entries += stripe.size();
    }
    return entries;
  }

  /** Writes the planes, then each position that overflows, in ascending order, and by how much. */
  void write(PayloadOutput out) throws IOException {
    out.begin(payloadSize());
    presentTable.write(out);
    countTable.write(out);
    if (payloadSize() == layout.bytesOfAllPlanes()) {
      return;
    }
    for (int word = 0; word < present.length; word++) {
      long base = (long) word * Long.SIZE;
      for (long left = full(word); left != 0; left &= left - 1) {
        long position = base + Long.numberOfTrailingZeros(left);
        long more = overflowOf(position).get(position);
        if (more != 0) {
          out.writeLong(position);
          out.writeLong(more);
        }
      }
    }
  }

  /** Returns which counters of a word, as "present" counts them, are at four or above. */
  private long full(int word) {
    int low = counts(word);
    return counts[low] & counts[low + 1];
  }

  /** Reads counters that {@link #write} wrote, and refuses all that it could not have written. */
  static Counters read(CountingLayout layout, PayloadInput in, FilterLimits limits, int stripes)
      throws IOException {
    long overflowSize = CounterFormat.overflowSize(layout, in);
    if (HeapLimit.isBelow(in.size())) {
      throw HeapLimit.tooLow(in.size(), "map the file");
    }
    Counters counters =
        new Counters(
            layout,
            BitTable.read(layout.bits(), in, ThreadMode.CONFINED),
            BitTable.read(countBits(layout), in, ThreadMode.CONFINED),
            new OverflowRoom(limits, layout, overflowSize / (OverflowEntries.WORDS * Long.BYTES)),
            new Overflow[stripes]);
    CounterFormat format =
        new CounterFormat(
            layout, word -> counters.present[(int) word], word -> counters.counts[(int) word], in);
    format.checkPlanes();
    OverflowEntries entries = counters.readOverflow(format, overflowSize / Long.BYTES);
    Arrays.setAll(counters.overflow, stripe -> new Overflow(counters.room, entries, stripe));
    return counters;
  }

  private OverflowEntries readOverflow(CounterFormat format, long words) throws IOException {
    List<long[]> parts = new ArrayList<>();
    int[] sizes = new int[overflow.length];
    format.forEachPart(
        words,
        part -> {
          for (int i = 0; i < part.length; i += OverflowEntries.WORDS) {
            sizes[stripe(part[i])]++;
          }
          parts.add(part);
        });
    return new OverflowEntries(parts, sizes);
  }
}
