package io.bloomery.fuse;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.PayloadInput;
import java.util.function.LongUnaryOperator;

/**
 * The word behind the cells of a part, of what a build found out. It also lets a query read eight
 * bytes from any byte of a cell on.
 *
 * @param count the number of distinct hashes
 * @param seed the first seed by which they could be peeled
 */
record FuseTail(long count, long seed) {
  /** The number of seeds. */
  static final int SEEDS = 1 << 10;

  private static final int COUNT_BITS = 48;

  static FuseTail of(long word) {
    return new FuseTail(word & ((1L << COUNT_BITS) - 1), word >>> COUNT_BITS);
  }

  long word() {
    return (seed << COUNT_BITS) | count;
  }

  /**
   * Checks the tail of a part in a file.
   *
   * @param word the word of an index in the part
   */
  static FuseTail check(FuseLayout layout, PayloadInput in, LongUnaryOperator word)
      throws FilterFormatException {
    long words = layout.cellWords();
    FuseTail tail = of(word.applyAsLong(words));
    if (tail.seed >= SEEDS) {
      throw in.malformed("seed must be below " + SEEDS + ", but is " + tail.seed);
    }
    if (tail.count > layout.cells()) { // no set of more hashes can be peeled
      throw in.malformed(
          "each part must have at most as many hashes as cells, "
              + layout.cells()
              + ", but has "
              + tail.count);
    }
    long used = (long) layout.cells() * layout.width() % Long.SIZE;
    if (used != 0 && word.applyAsLong(words - 1) >>> used != 0) {
      throw in.malformed("bits behind the last cell must be clear, but are not");
    }
    return tail;
  }

  /** Checks that the cells of no hashes are clear, and that the seed is then the first. */
  void checkEmpty(FuseLayout layout, PayloadInput in, LongUnaryOperator word)
      throws FilterFormatException {
    if (count > 0) {
      return;
    }
    long any = seed;
    for (long i = 0; i < layout.cellWords(); i++) {
      any |= word.applyAsLong(i);
    }
    if (any != 0) {
      throw in.malformed("cells and seed of a part of no hashes must be zero, but are not");
    }
  }
}
