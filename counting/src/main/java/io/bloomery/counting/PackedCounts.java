package io.bloomery.counting;

/**
 * The {@link UnaryCounts} fields of a block's two words, packed into two, three or four ints for
 * fields of 32, 48 or 64 bits, the first word's in the lowest bits.
 */
final class PackedCounts {

  private PackedCounts() {}

  /** Returns the field of all ones, which no counts have. */
  static long mask(int countBits) {
    return -1L >>> (Long.SIZE - countBits);
  }

  private static long pair(int[] ints, int at) {
    return (ints[at] & 0xffff_ffffL) | (long) ints[at + 1] << Integer.SIZE;
  }

  /** Returns the field of the first word of the block whose ints begin at {@code at}. */
  static long first(int[] ints, int at, int countBits) {
    // Shifts use the lowest six bits of their distance, so that this is a shift by 64 - countBits.
    return pair(ints, at) & -1L >>> -countBits;
  }

  /** Returns the field of the second word of the block whose ints begin at {@code at}. */
  static long second(int[] ints, int at, int countBits) {
    return pair(ints, at + (countBits >> 4) - 2) >>> -countBits;
  }

  /** Replaces the fields of both words. */
  static void set(int[] ints, int at, int countBits, long first, long second) {
    ints[at] = (int) first;
    if (countBits == Integer.SIZE) {
      ints[at + 1] = (int) second;
    } else if (countBits == Long.SIZE) {
      ints[at + 1] = (int) (first >>> Integer.SIZE);
      ints[at + 2] = (int) second;
      ints[at + 3] = (int) (second >>> Integer.SIZE);
    } else {
      ints[at + 1] = (int) (first >>> Integer.SIZE | second << 16);
      ints[at + 2] = (int) (second >>> 16);
    }
  }
}
