package io.bloomery.counting;

import java.util.Arrays;

/**
 * The counts of both words of a block, whatever they are, in planes of bits: bit i of count - 1 of
 * each position of a word is in word 2i of an array if the word is the block's first, and in word
 * 2i + 1 if it is the second; zero for positions that are not present.
 *
 * <p>For blocks whose counts are too many, or too large, to be kept in unary. All 64 counters of a
 * word change in as many steps as the largest has bits.
 */
final class Planes {

  /** The most planes: counts are up to 2^62, which nobody puts, but a file may say so. */
  static final int MAX = 62;

  /** The bytes of a plane of both words. */
  static final int BYTES = 2 * Long.BYTES;

  private Planes() {}

  /** Returns how many planes there are, without those above the largest count. */
  static int used(long[] planes) {
    int used = planes.length / 2;
    while (used > 1 && (planes[2 * used - 2] | planes[2 * used - 1]) == 0) {
      used--;
    }
    return used;
  }

  /** Returns planes of what is kept in unary. */
  static long[] ofUnary(long present0, long field0, long present1, long field1) {
    long[] planes = new long[2 * (Integer.SIZE - Integer.numberOfLeadingZeros(Long.SIZE))];
    addLevels(planes, 0, present0, field0);
    addLevels(planes, 1, present1, field1);
    return Arrays.copyOf(planes, 2 * used(planes));
  }

  /** Returns planes of what is kept as a list, given which counts are at least 2. */
  static long[] ofList(long twice0, long twice1, int list) {
    // For a count of 6: twice, and four times in the list.
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
      // Shifted by 64, a field would be what it is.
      reached = level < Long.SIZE ? next : 0;
    }
  }

  /** Adds one to some counters of a word, each of which is below the largest that planes hold. */
  private static void add(long[] planes, int word, long mask) {
    long carry = mask;
    for (int i = word; carry != 0; i += 2) {
      long plane = planes[i];
      planes[i] = plane ^ carry;
      carry &= plane;
    }
  }

  /** Takes one from some counters of a word, each of which is above zero. */
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

  /** Returns which of some counters of a word stand at the largest number that planes hold. */
  private static long full(long[] planes, int used, int word, long mask) {
    long full = mask;
    for (int i = word; i < 2 * used; i += 2) {
      full &= planes[i];
    }
    return full;
  }

  /**
   * Returns whether one plane more is needed to count some positions up.
   *
   * @param used how many are in use
   * @param mask0 those of the first word that are present
   * @param mask1 those of the second
   */
  static boolean areFull(long[] planes, int used, long mask0, long mask1) {
    return (full(planes, used, 0, mask0) | full(planes, used, 1, mask1)) != 0;
  }

  /** Counts some positions up that are present, if the planes are not full. */
  static void increment(long[] planes, long mask0, long mask1) {
    add(planes, 0, mask0);
    add(planes, 1, mask1);
  }

  /**
   * Counts some positions of a word down, all of them present.
   *
   * @return which of them are no longer
   */
  static long decrement(long[] planes, int word, long mask) {
    long more = mask & above(planes, word);
    subtract(planes, word, more);
    return mask ^ more;
  }

  /** Returns the count of a position that is present. */
  static long count(long[] planes, int word, int position) {
    long count = 1;
    for (int i = word; i < planes.length; i += 2) {
      count += (planes[i] >>> position & 1) << (i >> 1);
    }
    return count;
  }

  /** Returns the least count of some positions, or a larger number than any if there are none. */
  static long min(long[] planes, int word, long mask) {
    long min = Long.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      min = Math.min(min, count(planes, word, Long.numberOfTrailingZeros(left)));
    }
    return min;
  }

  /** Returns whether the counts of a word add up to at most so many, {@link Long#SIZE} or less. */
  static boolean fit(long[] planes, int word, long present, int sum) {
    int left = sum - Long.bitCount(present);
    for (int i = word; i < planes.length && left >= 0; i += 2) {
      // A count of 64 and more fits no longer, and an int is too short for larger ones.
      left =
          i >> 1 < 6 ? left - (Long.bitCount(planes[i]) << (i >> 1)) : planes[i] == 0 ? left : -1;
    }
    return left >= 0;
  }

  /**
   * Returns the counts of a word in unary, which they must fit; the planes of the word are used up.
   */
  static long toUnary(long[] planes, int word, long present) {
    long field = 0;
    int level = 0;
    long before = present;
    for (long reached = above(planes, word); before != 0; reached = above(planes, word)) {
      // The last level is clear, and may end with the field.
      field |= reached == 0 ? 0 : UnaryCounts.level(before, reached) << level;
      level += Long.bitCount(before);
      subtract(planes, word, reached);
      before = reached;
    }
    return field;
  }

  /** Returns whether a list has room for what counts are above 2. */
  static boolean fitList(long[] planes) {
    int left = CountList.MAX + Long.bitCount(above(planes, 0)) + Long.bitCount(above(planes, 1));
    for (int i = 0; i < planes.length && left >= 0; i++) {
      // A count of 9 and more fits no longer, and an int is too short for larger ones.
      left = i < 6 ? left - (Long.bitCount(planes[i]) << (i >> 1)) : planes[i] == 0 ? left : -1;
    }
    return left >= 0;
  }

  /** Returns what counts are above 2, for which a list has room; the planes are used up. */
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
   * Returns the sums of counts; more than {@link #MAX} planes are too many.
   *
   * @param both0 which positions of the first word are present in both
   * @param both1 and of the second
   */
  static long[] sum(long[] a, long[] b, long both0, long both1) {
    int most = Math.max(a.length, b.length) + 2;
    long[] sum = Arrays.copyOf(a, most);
    addAll(sum, 0, b, both0);
    addAll(sum, 1, b, both1);
    return Arrays.copyOf(sum, 2 * used(sum));
  }

  /** Adds counters of a word, all at once: count - 1 of both and, where both are present, one. */
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
