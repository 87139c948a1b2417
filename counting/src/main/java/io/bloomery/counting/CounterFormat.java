package io.bloomery.counting;

import io.bloomery.FilterFormatException;
import io.bloomery.PayloadInput;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * What a counting filter's content must keep to: counts are of positions that are present, and what
 * overflows are positions at their highest count, in ascending order. {@code docs/FORMAT.md}
 * describes every bit.
 */
final class CounterFormat {

  private final CountingLayout layout;
  private final LongUnaryOperator present;
  private final LongUnaryOperator counts;
  private final PayloadInput in;

  /**
   * Prepares to check planes that were taken from a payload, and to take what follows them.
   *
   * @param present gives a word of the plane "present" by its number
   * @param counts gives a word of "low" and "high"
   */
  CounterFormat(
      CountingLayout layout, LongUnaryOperator present, LongUnaryOperator counts, PayloadInput in) {
    this.layout = layout;
    this.present = present;
    this.counts = counts;
    this.in = in;
  }

  /** Returns how many bytes of a payload are about counts that overflow. */
  static long overflowSize(CountingLayout layout, PayloadInput in) throws FilterFormatException {
    long size = in.size() - layout.bytesOfAllPlanes();
    int entry = OverflowEntries.WORDS * Long.BYTES;
    // No position overflows twice: what announces more is not too large for the heap, but wrong.
    if (size < 0 || size % entry != 0 || size / entry > layout.bits()) {
      throw in.malformed(
          "payload must have "
              + layout.bytesOfAllPlanes()
              + " bytes for the planes and 16 for each position that overflows, but has "
              + in.size());
    }
    return size;
  }

  /**
   * Checks that only what is present is counted.
   *
   * @throws FilterFormatException if it is not so
   */
  void checkPlanes() throws FilterFormatException {
    for (long word = 0; word < layout.bits() / Long.SIZE; word++) {
      long counted = counts.applyAsLong(2 * word) | counts.applyAsLong(2 * word + 1);
      if ((counted & ~present.applyAsLong(word)) != 0) {
        throw in.malformed(
            "a position must be present to be counted, but one of word " + word + " is not");
      }
    }
  }

  /**
   * Takes the positions that overflow, some at a time, and hands them on if they are sound.
   *
   * @param words how many words there are about them
   * @throws FilterFormatException if they are not
   */
  void forEachPart(long words, Consumer<long[]> action) throws IOException {
    long last = -1;
    for (long left = words; left > 0; left -= OverflowEntries.PART_WORDS) {
      long[] part = in.readLongs(Math.min(left, OverflowEntries.PART_WORDS));
      for (int i = 0; i < part.length; i += OverflowEntries.WORDS) {
        checkEntry(last, part[i], part[i + 1]);
        last = part[i];
      }
      action.accept(part);
    }
  }

  private void checkEntry(long last, long position, long more) throws FilterFormatException {
    if (position <= last || position >= layout.bits()) {
      throw in.malformed(
          "positions that overflow must ascend and be below "
              + layout.bits()
              + ", but "
              + position
              + " follows "
              + last);
    }
    if (more < 1 || more > Overflow.MAX) {
      throw in.malformed(
          "overflow must be from 1 to "
              + Overflow.MAX
              + ", but is "
              + more
              + " at position "
              + position);
    }
    long word = position / Long.SIZE;
    long full = counts.applyAsLong(2 * word) & counts.applyAsLong(2 * word + 1);
    if ((full >>> position & 1) == 0) {
      throw in.malformed(
          "only a position at its highest count can overflow, but " + position + " is not");
    }
  }
}
