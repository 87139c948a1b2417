package io.bloomery.counting;

/**
 * The fields of {@link UnaryCounts} of a block's two words, next to each other in a few ints: two,
 * three or four for fields of 32, 48 or 64 bits, the first word's in the lowest bits.
 */
final class PackedCounts {

  private PackedCounts() {}

  /** Returns the largest field of so many bits: all ones, which no counts give. */
  static long mask(int countBits) {
    return -1L >>> (Long.SIZE - countBits);
  }

  private static long pair(int[] ints, int at) {
    return (ints[at] & 0xffff_ffffL) | (long) ints[at + 1] << Integer.SIZE;
  }

  /** Returns the field of the first word of the block whose ints begin at {@code at}. */
  static long first(int[] ints, int at, int countBits) {
    // Java takes the lowest six bits of what it shifts by: as good as subtracting from 64.
    return pair(ints, at) & -1L >>> -countBits;
  }

  /** Returns the field of its second word. */
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
