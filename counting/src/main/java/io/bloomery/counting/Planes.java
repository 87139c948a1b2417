package io.bloomery.counting;

import java.util.Arrays;

/**
 * A bit-sliced encoding of counts of any size for both words of a block: plane i has bit i of count
 * - 1 of every position, in element 2i of an array for the first word of the block and in element
 * 2i + 1 for the second. Positions that are not present have zeros.
 *
 * <p>It is used for blocks whose counts are too many, or too large, for the form of the layout. All
 * 64 counters of a word change in as many steps as the largest has bits.
 */
final class Planes {

  /** The largest number of planes: counts up to 2^62, which no puts reach, but a file may have. */
  static final int MAX = 62;

  /** The bytes of a plane of both words. */
  static final int BYTES = 2 * Long.BYTES;

  private Planes() {}

  /** Returns the number of planes in use: those above the largest count are empty. */
  static int used(long[] planes) {
    int used = planes.length / 2;
    while (used > 1 && (planes[2 * used - 2] | planes[2 * used - 1]) == 0) {
      used--;
    }
    return used;
  }

  /** Converts the unary counts of a block. */
  static long[] ofUnary(long present0, long field0, long present1, long field1) {
    long[] planes = new long[2 * (Integer.SIZE - Integer.numberOfLeadingZeros(Long.SIZE))];
    addLevels(planes, 0, present0, field0);
    addLevels(planes, 1, present1, field1);
    return Arrays.copyOf(planes, 2 * used(planes));
  }

  /** Converts the counts of a block with a list, given which counts are at least 2. */
  static long[] ofList(long twice0, long twice1, int list) {
    // Enough for a count of 6: 2, and four entries of the list.
    long[] planes = {twice0, twice1, 0, 0, 0, 0};
    for (int i = 0; i < CountList.size(list); i++) {
      int at = CountList.entry(list, i);
      add(planes, at / Long.SIZE, 1L << at);
    }
    return Arrays.copyOf(planes, 2 * used(planes));
  }

  private static void addLevels(long[] planes, int word, long present, long field) {
    long reached = present;
    int level = 0;
    while (reached != 0) {
      long next = UnaryCounts.reached(reached, field >>> level);
      level += Long.bitCount(reached);
      add(planes, word, next);
      // A shift by 64 would leave the field unchanged.
      reached = level < Long.SIZE ? next : 0;
    }
  }

  /** Increments some counters of a word, none of which has the largest value of these planes. */
  private static void add(long[] planes, int word, long mask) {
    long carry = mask;
    for (int i = word; carry != 0; i += 2) {
      long plane = planes[i];
      planes[i] = plane ^ carry;
      carry &= plane;
    }
  }

  /** Decrements some counters of a word, whose counts less one are above zero. */
  private static void subtract(long[] planes, int word, long mask) {
    long borrow = mask;
    for (int i = word; borrow != 0; i += 2) {
      long plane = planes[i];
      planes[i] = plane ^ borrow;
      borrow &= ~plane;
    }
  }

  /** Returns which counts of a word are at least 2. */
  static long above(long[] planes, int word) {
    long above = 0;
    for (int i = word; i < planes.length; i += 2) {
      above |= planes[i];
    }
    return above;
  }

  /** Returns which of some counters of a word have the largest value of the planes in use. */
  private static long full(long[] planes, int used, int word, long mask) {
    long full = mask;
    for (int i = word; i < 2 * used; i += 2) {
      full &= planes[i];
    }
    return full;
  }

  /**
   * Returns whether another plane is needed to increment some counts.
   *
   * @param used the number of planes in use
   * @param mask0 the positions of the first word, all present
   * @param mask1 the positions of the second word, all present
   */
  static boolean areFull(long[] planes, int used, long mask0, long mask1) {
    return (full(planes, used, 0, mask0) | full(planes, used, 1, mask1)) != 0;
  }

  /** Increments the counts of some present positions; the planes must not be full. */
  static void increment(long[] planes, long mask0, long mask1) {
    add(planes, 0, mask0);
    add(planes, 1, mask1);
  }

  /**
   * Decrements the counts of some present positions of a word.
   *
   * @return the positions that are no longer present
   */
  static long decrement(long[] planes, int word, long mask) {
    long more = mask & above(planes, word);
    subtract(planes, word, more);
    return mask ^ more;
  }

  /** Returns the count of a present position. */
  static long count(long[] planes, int word, int position) {
    long count = 1;
    for (int i = word; i < planes.length; i += 2) {
      count += (planes[i] >>> position & 1) << (i >> 1);
    }
    return count;
  }

  /** Returns the minimum count of some positions, or {@link Long#MAX_VALUE} if there are none. */
  static long min(long[] planes, int word, long mask) {
    long min = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      min = Math.min(min, count(planes, word, Long.numberOfTrailingZeros(left)));
    }
    return min;
  }

  /**
   * Returns whether the sum of a word's counts is at most {@code sum}, {@link Long#SIZE} or less.
   */
  static boolean fit(long[] planes, int word, long present, int sum) {
    int left = sum - Long.bitCount(present);
    for (int i = word; i < planes.length && left >= 0; i += 2) {
      // A count above 64 cannot fit, and an int would overflow for larger ones.
      left =
          i >> 1 < 6 ? left - (Long.bitCount(planes[i]) << (i >> 1)) : planes[i] == 0 ? left : -1;
    }
    return left >= 0;
  }

  /**
   * Converts the counts of a word to unary, which they must fit; the planes of the word are
   * overwritten.
   */
  static long toUnary(long[] planes, int word, long present) {
    long field = 0;
    int level = 0;
    long before = present;
    for (long reached = above(planes, word); before != 0; reached = above(planes, word)) {
      // The last level has no set bits, and may end at the end of the field.
      field |= reached == 0 ? 0 : UnaryCounts.level(before, reached) << level;
      level += Long.bitCount(before);
      subtract(planes, word, reached);
      before = reached;
    }
    return field;
  }

  /** Returns whether the counts of a block fit in a {@link CountList}. */
  static boolean fitList(long[] planes) {
    int left = CountList.MAX + Long.bitCount(above(planes, 0)) + Long.bitCount(above(planes, 1));
    for (int i = 0; i < planes.length && left >= 0; i++) {
      // A count above 8 cannot fit, and an int would overflow for larger ones.
      left = i < 6 ? left - (Long.bitCount(planes[i]) << (i >> 1)) : planes[i] == 0 ? left : -1;
    }
    return left >= 0;
  }

  /** Converts the counts above 2 to a list, which they must fit; the planes are overwritten. */
  static int toList(long[] planes) {
    int list = CountList.EMPTY;
    long more0 = above(planes, 0);
    long more1 = above(planes, 1);
    while ((more0 | more1) != 0) {
      subtract(planes, 0, more0);
      subtract(planes, 1, more1);
      more0 = above(planes, 0);
      more1 = above(planes, 1);
      list = CountList.withAll(list, more0, more1);
    }
    return list;
  }

  /**
   * Returns the sums of the counts of two blocks, which may take more than {@link #MAX} planes.
   *
   * @param both0 the positions of the first word that are present in both blocks
   * @param both1 the positions of the second word that are present in both blocks
   */
  static long[] sum(long[] a, long[] b, long both0, long both1) {
    int most = Math.max(a.length, b.length) + 2;
    long[] sum = Arrays.copyOf(a, most);
    addAll(sum, 0, b, both0);
    addAll(sum, 1, b, both1);
    return Arrays.copyOf(sum, 2 * used(sum));
  }

  /** Adds all counters of a word in parallel: count - 1 of both and, if both are present, 1. */
  private static void addAll(long[] sum, int word, long[] more, long both) {
    long carry = both;
    for (int i = word; i < sum.length; i += 2) {
      long a = sum[i];
      long b = i < more.length ? more[i] : 0;
      sum[i] = a ^ b ^ carry;
      carry = (a & b) | (carry & (a ^ b));
    }
  }
}
