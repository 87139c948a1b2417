package io.bloomery.counting;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;
import io.bloomery.FilterFullException;

/**
 * By how much counters of a stripe exceed what the planes can hold: an exact number for each
 * position that does, and nothing for all others.
 *
 * <p>Masks are of the 64 positions of a word, a second mask those of the other word of its block.
 */
final class Overflow {

  /** The largest number it holds: nobody puts that often, but a file may say so. */
  static final long MOST = 1L << 62;

  private LongLongHashMap excess; // null as long as nothing differs from the file
  private OverflowEntries read; // null when all is in the map
  private final int stripe;

  Overflow() {
    this(new LongLongHashMap(), null, 0);
  }

  /** Holds what stands in a file about a stripe. */
  Overflow(OverflowEntries read, int stripe) {
    this(null, read, stripe);
  }

  private Overflow(LongLongHashMap excess, OverflowEntries read, int stripe) {
    this.excess = excess;
    this.read = read;
    this.stripe = stripe;
  }

  int size() {
    return excess == null ? read.size(stripe) : excess.size();
  }

  long get(long position) {
    return excess == null ? read.get(position) : excess.get(position);
  }

  /** Returns the map, for changes: made of what was read when first asked for. */
  private LongLongHashMap excess() {
    if (excess == null) {
      LongLongHashMap map = new LongLongHashMap(size());
      read.forEach(stripe, map::put);
      excess = map;
      read = null;
    }
    return excess;
  }

  private void forEach(LongLongProcedure action) {
    if (excess == null) {
      read.forEach(stripe, action);
    } else {
      excess.forEach(action);
    }
  }

  /** Returns the least number among positions in both words, of which there must be one. */
  long least(int word, long first, long second) {
    return Math.min(least(base(word), first), least(base(BlockProbes.other(word)), second));
  }

  private static long base(int word) {
    return (long) word * Long.SIZE;
  }

  private long least(long base, long mask) {
    long least = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      least = Math.min(least, get(base + Long.numberOfTrailingZeros(left)));
    }
    return least;
  }

  /** Returns the largest number, or zero if there is none. */
  long largest() {
    long[] largest = {0};
    forEach((position, more) -> largest[0] = Math.max(largest[0], more));
    return largest[0];
  }

  /**
   * Adds one to each of some positions in both words.
   *
   * @throws FilterFullException if one is at {@link #MOST}; nothing has changed
   */
  void increment(int word, long first, long second) {
    int other = BlockProbes.other(word);
    refuseBeyondMost(base(word), first);
    refuseBeyondMost(base(other), second);
    // What could fail for want of memory comes before the first change.
    excess().ensureCapacity(size() + Long.bitCount(first) + Long.bitCount(second));
    increment(base(word), first);
    increment(base(other), second);
  }

  private void refuseBeyondMost(long base, long mask) {
    for (long left = mask; left != 0; left &= left - 1) {
      if (get(base + Long.numberOfTrailingZeros(left)) >= MOST) {
        throw new FilterFullException(
            "a count must not overflow by more than "
                + MOST
                + ", and one is there; remove keys first");
      }
    }
  }

  private void increment(long base, long mask) {
    for (long left = mask; left != 0; left &= left - 1) {
      excess.addTo(base + Long.numberOfTrailingZeros(left), 1);
    }
  }

  /**
   * Takes one from each of some positions of a word that has any.
   *
   * @return those that had
   */
  long decrement(int word, long mask) {
    long base = base(word);
    LongLongHashMap excess = excess();
    long had = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      int index = excess.indexOf(base + Long.numberOfTrailingZeros(left));
      if (excess.indexExists(index)) {
        had |= Long.lowestOneBit(left);
        long more = excess.indexGet(index) - 1;
        if (more == 0) {
          excess.indexRemove(index);
        } else {
          excess.indexReplace(index, more);
        }
      }
    }
    return had;
  }

  void add(long position, long more) {
    excess().addTo(position, more);
  }

  /** Adds all that this holds to the counters where it belongs. */
  void addTo(Counters counters) {
    forEach((position, more) -> counters.overflowOf(position).add(position, more));
  }

  Overflow copy() {
    return new Overflow(excess == null ? null : excess.clone(), read, stripe);
  }
}
