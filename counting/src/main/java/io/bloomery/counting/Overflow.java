package io.bloomery.counting;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.cursors.LongLongCursor;
import io.bloomery.FilterFullException;

/**
 * By how much counters exceed what the planes can hold: an exact number for each position that
 * does, and nothing for all others.
 *
 * <p>Masks are of 64 positions from a base.
 */
final class Overflow {

  /** The largest number it holds: nobody puts that often, but a file may say so. */
  static final long MOST = 1L << 62;

  private final LongLongHashMap excess;

  Overflow() {
    this(new LongLongHashMap());
  }

  private Overflow(LongLongHashMap excess) {
    this.excess = excess;
  }

  int size() {
    return excess.size();
  }

  long get(long position) {
    return excess.get(position);
  }

  /** Returns the least number among the positions of two words, of which there must be one. */
  long least(long base, long first, long second) {
    return Math.min(least(base, first), least(base + Long.SIZE, second));
  }

  private long least(long base, long mask) {
    long least = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      least = Math.min(least, excess.get(base + Long.numberOfTrailingZeros(left)));
    }
    return least;
  }

  /** Returns the largest number, or zero if there is none. */
  long largest() {
    long largest = 0;
    for (LongLongCursor entry : excess) {
      largest = Math.max(largest, entry.value);
    }
    return largest;
  }

  /**
   * Adds one to each position of two words.
   *
   * @throws FilterFullException if one is at {@link #MOST}; nothing has changed
   */
  void increment(long base, long first, long second) {
    refuseBeyondMost(base, first);
    refuseBeyondMost(base + Long.SIZE, second);
    // What could fail for want of memory comes before the first change.
    excess.ensureCapacity(excess.size() + Long.bitCount(first) + Long.bitCount(second));
    increment(base, first);
    increment(base + Long.SIZE, second);
  }

  private void refuseBeyondMost(long base, long mask) {
    for (long left = mask; left != 0; left &= left - 1) {
      if (excess.get(base + Long.numberOfTrailingZeros(left)) >= MOST) {
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
   * Takes one from each position of a word that has any.
   *
   * @return those that had
   */
  long decrement(long base, long mask) {
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
    excess.addTo(position, more);
  }

  /** Adds all that this holds to the counters where it belongs. */
  void addTo(Counters counters) {
    for (LongLongCursor entry : excess) {
      counters.overflowOf(entry.key).add(entry.key, entry.value);
    }
  }

  Overflow copy() {
    return new Overflow(excess.clone());
  }
}
