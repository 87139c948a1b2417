package io.bloomery.counting;

/**
 * A list of a block's positions with counts above 2, packed into an int: a position with count c
 * has c - 2 entries.
 *
 * <pre>
 * bits 0-6    7-13    14-20   21-27    28-30    31
 *      first  second  third   fourth   size     1 if the block is spilled
 * </pre>
 *
 * <p>Position 64 is the first of the block's second word. Bits after the last entry are zero.
 * Entries are in ascending order in a file, in any order in memory. If the block is spilled, the
 * other bits are its number in {@link SpilledBlocks}.
 */
final class CountList {

  /** The largest number of entries. */
  static final int MAX = 4;

  static final int EMPTY = 0;

  private static final int ENTRY_BITS = 7;
  private static final int ENTRY = (1 << ENTRY_BITS) - 1;
  private static final int SIZE_AT = MAX * ENTRY_BITS;
  private static final int ONE_MORE = 1 << SIZE_AT;
  private static final int ENTRIES = ONE_MORE - 1;

  private CountList() {}

  static boolean isSpilled(int list) {
    return list < 0;
  }

  /** Returns the list of a spilled block. */
  static int ofSpilled(int number) {
    return number | Integer.MIN_VALUE;
  }

  /** Returns the number of a spilled block. */
  static int number(int list) {
    return list & Integer.MAX_VALUE;
  }

  /** Returns the number of entries, of a block that is not spilled. */
  static int size(int list) {
    return list >>> SIZE_AT;
  }

  /** Returns the position in entry {@code i}. */
  static int entry(int list, int i) {
    return (list >>> (i * ENTRY_BITS)) & ENTRY;
  }

  /**
   * Returns an odd number if the block is spilled or any of some positions may have an entry.
   *
   * @param either the positions, in whichever word
   */
  // Ignores the word of an entry, and takes the bits after the last entry for position 0. This
  // gives a false match about once in thirty times, which costs less than the exact test.
  static long mayHave(int list, long either) {
    return either >>> list
        | either >>> (list >>> ENTRY_BITS)
        | either >>> (list >>> (2 * ENTRY_BITS))
        | either >>> (list >>> (3 * ENTRY_BITS))
        | list >>> (Integer.SIZE - 1);
  }

  /**
   * Returns a bit, at 0, 7, 14 or 21, for each entry that may be one of some positions.
   *
   * @param either the positions, in whichever word
   */
  static int candidates(int list, long either) {
    int entries = (int) (either >>> list) & 1;
    entries |= ((int) (either >>> (list >>> ENTRY_BITS)) & 1) << ENTRY_BITS;
    entries |= ((int) (either >>> (list >>> (2 * ENTRY_BITS))) & 1) << (2 * ENTRY_BITS);
    entries |= ((int) (either >>> (list >>> (3 * ENTRY_BITS))) & 1) << (3 * ENTRY_BITS);
    return entries & ((1 << (size(list) * ENTRY_BITS)) - 1);
  }

  /** Returns whether a block is spilled or there are several candidates. */
  static boolean needsSearch(int list, int candidates) {
    return ((candidates & (candidates - 1)) | (list & Integer.MIN_VALUE)) != 0;
  }

  /** Returns the position of the only candidate, or that of the first entry if there is none. */
  static int position(int list, int candidate) {
    return (list >>> Integer.numberOfTrailingZeros(candidate)) & ENTRY;
  }

  /** Returns a list without the entry of a candidate, or unchanged if there is no candidate. */
  static int without(int list, int candidate) {
    int below = list & (candidate - 1);
    int above = ((list & ENTRIES) >>> ENTRY_BITS) & -candidate;
    return ((below | above) & ENTRIES)
        | ((list & ~ENTRIES) - (Integer.bitCount(candidate) << SIZE_AT));
  }

  /** Returns a list without entry {@code i}. */
  static int withoutEntry(int list, int i) {
    return without(list, 1 << (i * ENTRY_BITS));
  }

  /** Returns a list with another position, for which there must be room. */
  static int with(int list, int position) {
    return list + (position << (size(list) * ENTRY_BITS)) + ONE_MORE;
  }

  /** Returns a list with another entry for each of some positions, for which there must be room. */
  static int withAll(int list, long first, long second) {
    int more = list;
    for (long left = first; left != 0; left &= left - 1) {
      more = with(more, Long.numberOfTrailingZeros(left));
    }
    for (long left = second; left != 0; left &= left - 1) {
      more = with(more, Long.SIZE + Long.numberOfTrailingZeros(left));
    }
    return more;
  }

  /** Returns a list with all entries of another added, for which there must be room. */
  static int withAll(int list, int other) {
    int more = list;
    for (int i = 0; i < size(other); i++) {
      more = with(more, entry(other, i));
    }
    return more;
  }

  /** Returns the number of entries of a position. */
  static int count(int list, int position) {
    int count = 0;
    for (int i = 0; i < size(list); i++) {
      count += entry(list, i) == position ? 1 : 0;
    }
    return count;
  }

  /** Returns a list with its entries in ascending order. */
  static int sorted(int list) {
    int sorted = EMPTY;
    for (int left = list; size(left) > 0; ) {
      int least = 0;
      for (int i = 1; i < size(left); i++) {
        least = entry(left, i) < entry(left, least) ? i : least;
      }
      sorted = with(sorted, entry(left, least));
      left = withoutEntry(left, least);
    }
    return sorted;
  }

  /** Returns whether a list is valid in a file, for a block that is not spilled. */
  static boolean isSound(int list, long twice0, long twice1) {
    if (size(list) > MAX || list != sorted(list)) {
      return false;
    }
    for (int i = 0; i < size(list); i++) {
      int at = entry(list, i);
      if ((((at < Long.SIZE ? twice0 : twice1) >>> at) & 1) == 0) {
        return false;
      }
    }
    return true;
  }
}
