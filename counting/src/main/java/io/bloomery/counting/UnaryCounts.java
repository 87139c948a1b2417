package io.bloomery.counting;

/**
 * A unary encoding of the counts of a word's 64 positions, given which of them are above zero: a
 * field of as many bits as the sum of the counts.
 *
 * <pre>
 * position   7 6 5 4 3 2 1 0
 * count      0 3 0 1 2 0 0 1
 * present    0 1 0 1 1 0 0 1     which counts are above zero: the word that queries read
 * level 2      1   0 1     0     one bit for each set bit of present: whether it is at least 2
 * level 3      1     0           one bit for each set bit of level 2: whether it is at least 3
 * level 4      0                 and so on, until no bit of a level is set
 * field      0 10 1010           the levels, level 2 in the lowest bits
 * </pre>
 *
 * <p>In a level, the index of a position's bit is its <em>rank</em>: the number of lower positions
 * that have a bit in the level. An increment sets the clear bit that ends the unary number and
 * inserts a new clear bit into the next level; a decrement is the reverse. A key none of whose
 * positions is present costs one insertion for each, and nothing else.
 *
 * <p>The field has one clear bit for each present position, so that it is never all ones, and equal
 * counts have equal fields. Bits shifted beyond the 64th would be lost: a caller that increments
 * must ensure that there is room.
 */
final class UnaryCounts {
  // decisions.md#counts-are-unary-numbers-sliced-by-level-in-as-many-bits-as-they-add-up-to

  // FROM[i] has the bits from i on. A load is faster than a shift by a variable, for which Java 17
  // emits three instructions.
  private static final long[] FROM = new long[Long.SIZE + 1];

  static {
    for (int i = 0; i < Long.SIZE; i++) {
      FROM[i] = -1L << i;
    }
  }

  /** The result if a count is too high for the method; no field is all ones. */
  static final long HIGHER = -1;

  private UnaryCounts() {}

  /** Returns the sum of all counts: the bits of the field that are in use. */
  static int sum(long present, long field) {
    return Long.bitCount(present) + Long.bitCount(field);
  }

  /** Inserts a clear bit at {@code at}; the bits there and above move up. */
  private static long insert(long field, int at) {
    return field + (field & FROM[at & 63]);
  }

  /** Deletes the bit at {@code at}, which is clear; the bits above move down. */
  private static long delete(long field, int at) {
    return field - ((field & FROM[at & 63]) >>> 1);
  }

  private static int rank(long present, long bit) {
    return Long.bitCount(present & (bit - 1));
  }

  /** Returns -1 if a position is present, else 0. */
  private static long ifPresent(long present, long bit) {
    return ~(((present & bit) - 1) >> 63);
  }

  private static long lowest(long bits) {
    return bits & -bits;
  }

  /** Returns a set bit if a position's count is at least 2, else 0. */
  static long twice(long present, long field, long bit) {
    return field & lowest(FROM[rank(present, bit) & 63]) & ifPresent(present, bit);
  }

  /**
   * Returns the field after a count of 0 or 1 is incremented; branch-free, as which of the two it
   * is cannot be predicted. The caller must then set the position in {@code present} if it was 0.
   */
  static long raise(long present, long field, long bit) {
    int rank = rank(present, bit);
    long from = FROM[rank & 63];
    long was = ifPresent(present, bit);
    // The end of the unary number: in level 2 if the position was not present, else in level 3.
    int inNext = Long.bitCount(present) + Long.bitCount(field & ~from) - rank;
    return insert(field | (lowest(from) & was), rank + (inNext & (int) was));
  }

  /**
   * Returns the field after a count of 1 or 2 is decremented. The caller must then clear the
   * position in {@code present} if it was 1, which {@link #twice} determines beforehand.
   */
  static long lower(long present, long field, long bit) {
    int rank = rank(present, bit);
    long from = FROM[rank & 63];
    long twice = field & lowest(from);
    int inNext = Long.bitCount(present) + Long.bitCount(field & ~from) - rank;
    return delete(field ^ twice, rank + (inNext & (int) (-twice >> 63)));
  }

  /** Returns a set bit if a position's count, which is at least 1, is at least 3, else 0. */
  static long thrice(long present, long field, long bit) {
    int rank = rank(present, bit);
    long from = FROM[rank & 63];
    int inNext = Long.bitCount(present) + Long.bitCount(field & ~from);
    return field & lowest(FROM[inNext & 63]) & (-(field & lowest(from)) >> 63);
  }

  /** Returns the field after some counts of 0 or 1 are incremented, or {@link #HIGHER}. */
  static long raiseAll(long present, long field, long mask) {
    long low = lowest(mask);
    long high = mask ^ low;
    if ((high & (high - 1)) == 0 && high != 0) {
      return raiseTwo(present, field, low, high);
    }
    long twice = 0;
    long raised = field;
    long now = present;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = lowest(left);
      twice |= twice(now, raised, bit);
      raised = raise(now, raised, bit);
      now |= bit;
    }
    return twice == 0 ? raised : HIGHER;
  }

  /**
   * Does the same for two positions, the number that most layouts have in a word. Both insertion
   * points are computed from the original field, so that neither computation waits for the other.
   */
  private static long raiseTwo(long present, long field, long low, long high) {
    int lowRank = rank(present, low);
    int highRank = rank(present, high);
    long lowWas = ifPresent(present, low);
    long highWas = ifPresent(present, high);
    long lowFrom = FROM[lowRank & 63];
    long highFrom = FROM[highRank & 63];
    long counted = (lowest(lowFrom) & lowWas) | (lowest(highFrom) & highWas);
    int size = Long.bitCount(present);
    // The ends of the unary numbers: in level 2 if the position was not present, else in level 3.
    // The end of the higher position is inserted first; that of the lower one is above it only if
    // it alone is in level 3.
    int highEnd = highRank + ((size + Long.bitCount(field & ~highFrom) - highRank) & (int) highWas);
    int lowEnd =
        lowRank
            + ((size + Long.bitCount(field & ~lowFrom) - lowRank) & (int) lowWas)
            + (int) (lowWas & ~highWas & 1);
    long raised = insert(insert(field | counted, highEnd), lowEnd);
    return (field & counted) == 0 ? raised : HIGHER;
  }

  /** Returns which of some present positions have a count of at least 2. */
  static long twiceOf(long present, long field, long mask) {
    long twice = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = lowest(left);
      twice |= bit & -(field >>> rank(present, bit) & 1);
    }
    return twice;
  }

  /**
   * Returns the field after some counts of 1 or 2 are decremented, or {@link #HIGHER}.
   *
   * @param twice the positions among them with a count of at least 2
   */
  static long lowerAll(long present, long field, long mask, long twice) {
    long low = lowest(mask);
    long high = mask ^ low;
    if ((high & (high - 1)) == 0 && high != 0) {
      return lowerTwo(present, field, low, high, twice);
    }
    long now = present;
    long lowered = field;
    long thrice = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = lowest(left);
      thrice |= thrice(now, lowered, bit);
      lowered = lower(now, lowered, bit);
      now ^= bit & ~twice;
    }
    return thrice == 0 ? lowered : HIGHER;
  }

  /** Does the same for two positions, the reverse of {@link #raiseTwo}. */
  private static long lowerTwo(long present, long field, long low, long high, long twice) {
    int lowRank = rank(present, low);
    int highRank = rank(present, high);
    long lowTwice = ifPresent(twice, low);
    long highTwice = ifPresent(twice, high);
    long lowFrom = FROM[lowRank & 63];
    long highFrom = FROM[highRank & 63];
    long counted = (lowest(lowFrom) & lowTwice) | (lowest(highFrom) & highTwice);
    int size = Long.bitCount(present);
    int lowNext = size + Long.bitCount(field & ~lowFrom);
    int highNext = size + Long.bitCount(field & ~highFrom);
    long thrice =
        field
            & ((lowest(FROM[lowNext & 63]) & lowTwice) | (lowest(FROM[highNext & 63]) & highTwice));
    int highEnd = highRank + ((highNext - highRank) & (int) highTwice);
    int lowEnd =
        lowRank + ((lowNext - lowRank) & (int) lowTwice) - (int) (lowTwice & ~highTwice & 1);
    return thrice == 0 ? delete(delete(field ^ counted, highEnd), lowEnd) : HIGHER;
  }

  /** Returns the field after some counts of any size are incremented. */
  static long incrementAll(long present, long field, long mask) {
    long now = present;
    long more = field;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = lowest(left);
      more = increment(now, more, bit);
      now |= bit;
    }
    return more;
  }

  /** Returns the field after some counts above zero are decremented. */
  static long decrementAll(long present, long field, long mask) {
    long now = present;
    long less = field;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = lowest(left);
      boolean once = twice(now, less, bit) == 0;
      less = decrement(now, less, bit);
      now ^= once ? bit : 0;
    }
    return less;
  }

  /**
   * Returns the minimum count of some positions, or {@link Integer#MAX_VALUE} if there are none.
   */
  static int min(long present, long field, long mask) {
    int min = Integer.MAX_VALUE;
    for (long left = mask; left != 0; left &= left - 1) {
      min = Math.min(min, count(present, field, lowest(left)));
    }
    return min;
  }

  /** Returns the field of the sums of two words' counts. */
  static long addAll(long present, long field, long morePresent, long moreField) {
    long now = present;
    long sum = field;
    int level = 0;
    for (long reached = morePresent; reached != 0; ) {
      sum = incrementAll(now, sum, reached);
      now |= reached;
      long next = reached(reached, moreField >>> level);
      level += Long.bitCount(reached);
      // A shift by 64 would leave the field unchanged.
      reached = level < Long.SIZE ? next : 0;
    }
    return sum;
  }

  /** Returns the field after a count of any size is incremented. */
  static long increment(long present, long field, long bit) {
    int at = rank(present, bit);
    if ((present & bit) == 0) {
      return insert(field, at);
    }
    int level = 0; // the offset of its lowest bit
    int size = Long.bitCount(present);
    while (((field >>> (level + at)) & 1) != 0) {
      int rank = ones(field, level, level + at);
      int next = level + size;
      size = ones(field, level, next);
      level = next;
      at = rank;
    }
    int end = level + size + ones(field, level, level + at);
    return insert(field | 1L << (level + at), end);
  }

  /**
   * Returns the field after a count above zero is decremented. The caller must then clear the
   * position in {@code present} if it was 1.
   */
  static long decrement(long present, long field, long bit) {
    int at = rank(present, bit);
    int level = 0;
    int size = Long.bitCount(present);
    long last = 0; // its bit in the level before
    while (((field >>> (level + at)) & 1) != 0) {
      last = 1L << (level + at);
      int rank = ones(field, level, level + at);
      int next = level + size;
      size = ones(field, level, next);
      level = next;
      at = rank;
    }
    return delete(field ^ last, level + at);
  }

  /** Returns the count of a position. */
  static int count(long present, long field, long bit) {
    if ((present & bit) == 0) {
      return 0;
    }
    int count = 1;
    int at = rank(present, bit);
    int level = 0;
    int size = Long.bitCount(present);
    while (((field >>> (level + at)) & 1) != 0) {
      count++;
      int rank = ones(field, level, level + at);
      int next = level + size;
      size = ones(field, level, next);
      level = next;
      at = rank;
    }
    return count;
  }

  /** Returns the number of set bits from one index, inclusive, to another, exclusive. */
  private static int ones(long field, int from, int to) {
    return Long.bitCount(field & FROM[from] & ~FROM[to]);
  }

  /**
   * Returns the positions with a set bit in a level.
   *
   * @param before the positions with a set bit in the level before
   * @param level the bits of the level, lowest first
   */
  static long reached(long before, long level) {
    long reached = 0;
    long bits = level;
    for (long left = before; left != 0; left &= left - 1) {
      reached |= left & -left & -(bits & 1);
      bits >>>= 1;
    }
    return reached;
  }

  /** Returns the bits of a level, lowest first: the reverse of {@link #reached}. */
  static long level(long before, long reached) {
    long bits = 0;
    int at = 0;
    for (long left = before; left != 0; left &= left - 1) {
      bits |= ((reached & left & -left) != 0 ? 1L : 0) << at++;
    }
    return bits;
  }

  /** Returns whether a field of {@code bits} bits is a valid encoding for the present positions. */
  static boolean isSound(long present, long field, int bits) {
    int level = 0;
    int size = Long.bitCount(present);
    while (size > 0) {
      int next = level + size;
      if (next > bits) {
        return false;
      }
      size = ones(field, level, next);
      level = next;
    }
    return (field & FROM[level]) == 0;
  }
}
