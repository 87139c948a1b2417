package io.bloomery.counting;

import com.carrotsearch.hppc.BufferAllocationException;
import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.procedures.LongLongProcedure;
import io.bloomery.FilterFullException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * By how much counters of a stripe exceed what the planes can hold: an exact number for each
 * position that does, and nothing for all others.
 *
 * <p>Masks are of the 64 positions of a word, a second mask those of the other word of its block.
 */
final class Overflow {

  /** The largest number it holds: nobody puts that often, but a file may say so. */
  static final long MAX = 1L << 62;

  private final OverflowRoom room;
  // One of both is null, the other not.
  private @Nullable LongLongHashMap excess; // null as long as nothing differs from the file
  private @Nullable OverflowEntries read; // null when all is in the map
  private final int stripe;

  Overflow(OverflowRoom room) {
    this(room, new LongLongHashMap(), null, 0);
  }

  /** Holds what stands in a file about a stripe. */
  Overflow(OverflowRoom room, OverflowEntries read, int stripe) {
    this(room, null, read, stripe);
  }

  private Overflow(
      OverflowRoom room,
      @Nullable LongLongHashMap excess,
      @Nullable OverflowEntries read,
      int stripe) {
    this.room = room;
    this.excess = excess;
    this.read = read;
    this.stripe = stripe;
  }

  int size() {
    return excess == null ? read().size(stripe) : excess.size();
  }

  long get(long position) {
    return excess == null ? read().get(position) : excess.get(position);
  }

  private OverflowEntries read() {
    return Objects.requireNonNull(read);
  }

  /** Returns the map, for changes: made of what was read when first asked for. */
  private LongLongHashMap excess() {
    if (excess == null) {
      LongLongHashMap map = new LongLongHashMap(size());
      read().forEach(stripe, map::put);
      excess = map;
      read = null;
    }
    return excess;
  }

  private void forEach(LongLongProcedure action) {
    if (excess == null) {
      read().forEach(stripe, action);
    } else {
      excess.forEach(action);
    }
  }

  /** Returns the least number among positions in both words, of which there must be one. */
  long min(int word, long first, long second) {
    return Math.min(min(base(word), first), min(base(BlockProbes.other(word)), second));
  }

  private static long base(int word) {
    return (long) word * Long.SIZE;
  }

  private long min(long base, long mask) {
    long min = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      min = Math.min(min, get(base + Long.numberOfTrailingZeros(left)));
    }
    return min;
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
   * @throws FilterFullException if one is at {@link #MAX}, or there is no room for another
   *     position; nothing has changed
   */
  void increment(int word, long first, long second) {
    int other = BlockProbes.other(word);
    refuseBeyondMax(base(word), first);
    refuseBeyondMax(base(other), second);
    int more = positionsWithout(base(word), first) + positionsWithout(base(other), second);
    room.take(more);
    try {
      // What could fail for want of memory comes before the first change.
      excess().ensureCapacity(size() + more);
    } catch (BufferAllocationException | OutOfMemoryError e) {
      room.giveBack(more);
      FilterFullException full =
          new FilterFullException(
              "the heap has no room for more counts above four; remove keys, or raise -Xmx");
      full.initCause(e);
      throw full;
    }
    increment(excess(), base(word), first);
    increment(excess(), base(other), second);
  }

  private int positionsWithout(long base, long mask) {
    int without = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      without += get(base + Long.numberOfTrailingZeros(left)) == 0 ? 1 : 0;
    }
    return without;
  }

  private void refuseBeyondMax(long base, long mask) {
    for (long left = mask; left != 0; left &= left - 1) {
      if (get(base + Long.numberOfTrailingZeros(left)) >= MAX) {
        throw new FilterFullException(
            "a count must not overflow by more than "
                + MAX
                + ", and one is there; remove keys first");
      }
    }
  }

  private static void increment(LongLongHashMap excess, long base, long mask) {
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
          room.giveBack(1);
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

  Overflow copy(OverflowRoom room) {
    return new Overflow(room, excess == null ? null : excess.clone(), read, stripe);
  }
}
