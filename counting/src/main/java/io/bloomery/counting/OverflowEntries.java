package io.bloomery.counting;

import com.carrotsearch.hppc.procedures.LongLongProcedure;
import java.util.List;

/**
 * What stands in a file about positions that overflow: each position, in ascending order, and by
 * how much.
 *
 * <p>A map of them takes twice the room, so they stay as they are until a stripe changes.
 */
final class OverflowEntries {

  /** Words of one entry. */
  static final int WORDS = 2;

  /** Words of each part but the last. */
  static final int PART_WORDS = 1 << 20;

  private final List<long[]> parts;
  private final int[] sizes;
  private final long size;

  /**
   * Keeps entries.
   *
   * @param parts the words of all entries, {@link #PART_WORDS} at a time
   * @param sizes how many there are in each stripe, of which there is a power of two
   */
  OverflowEntries(List<long[]> parts, int[] sizes) {
    this.parts = parts;
    this.sizes = sizes;
    long words = 0;
    for (long[] part : parts) {
      words += part.length;
    }
    this.size = words / WORDS;
  }

  /** Returns how many there are in a stripe. */
  int size(int stripe) {
    return sizes[stripe];
  }

  /** Returns by how much a position overflows, or zero. */
  long get(long position) {
    long index = search(position, 0);
    return index < size && position(index) == position ? more(index) : 0;
  }

  /** Gives all entries of a stripe to {@code action}, in ascending order. */
  void forEach(int stripe, LongLongProcedure action) {
    int left = sizes[stripe];
    for (long index = 0; left > 0; ) {
      long block = position(index) / CountingLayout.BLOCK_BITS;
      long until = stripe - block & (sizes.length - 1);
      if (until == 0) {
        action.apply(position(index), more(index));
        index++;
        left--;
      } else {
        index = search((block + until) * CountingLayout.BLOCK_BITS, index);
      }
    }
  }

  /** Returns the first entry from {@code from} on whose position is not below the one given. */
  private long search(long position, long from) {
    long low = from;
    long high = size;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (position(middle) < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long position(long index) {
    return word(index * WORDS);
  }

  private long more(long index) {
    return word(index * WORDS + 1);
  }

  private long word(long at) {
    return parts.get((int) (at / PART_WORDS))[(int) (at % PART_WORDS)];
  }
}
