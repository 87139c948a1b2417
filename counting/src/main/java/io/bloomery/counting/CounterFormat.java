package io.bloomery.counting;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.HeapLimit;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * A counting filter's content as it is written: the words that queries read, the counts of all
 * blocks, and the planes of those that are spilled, in ascending order. {@code docs/FORMAT.md}
 * describes every bit.
 *
 * <p>Of a spilled block, the second field is how many planes it has.
 */
final class CounterFormat {

  /** Blocks whose counts are looked at together: an even number, so that words are whole. */
  private static final int CHUNK = 1 << 10;

  private final CountingLayout layout;
  private final LongUnaryOperator present;
  private final Ints counts;
  private final PayloadInput in;

  /**
   * Prepares to check what was taken from a payload, and to take what follows it.
   *
   * @param present gives a word that queries read by its number
   */
  private CounterFormat(
      CountingLayout layout, LongUnaryOperator present, Ints counts, PayloadInput in) {
    this.layout = layout;
    this.present = present;
    this.counts = counts;
    this.in = in;
  }

  /** The counts of all blocks, as {@link PackedCounts} has them. */
  @FunctionalInterface
  private interface Ints {
    int at(long index);
  }

  /** What is done with the planes of some spilled blocks once they are known to be sound. */
  @FunctionalInterface
  private interface SpilledAction {
    void accept(int[] blocks, ReadPlanes.Part part);
  }

  static void write(Counters counters, PayloadOutput out) throws IOException {
    out.begin(counters.payloadSize());
    counters.presentTable().write(out);
    CountingLayout layout = counters.layout();
    for (int from = 0; from < layout.blocks(); from += CHUNK) {
      writeCounts(counters, from, Math.min(CHUNK, layout.blocks() - from), out);
    }
    if (counters.room().used() == 0) {
      return;
    }
    for (int block = 0; block < layout.blocks(); block++) {
      int used = counters.planesInUse(2 * block);
      if (used > 0) {
        out.writeLongs(counters.planes(2 * block), 0, 2 * used);
      }
    }
  }

  private static void writeCounts(Counters counters, int from, int blocks, PayloadOutput out)
      throws IOException {
    CountingLayout layout = counters.layout();
    int size = layout.countInts();
    int[] ints = Arrays.copyOfRange(counters.counts(), from * size, (from + blocks) * size);
    for (int i = 0; i < blocks; i++) {
      int used = counters.planesInUse(2 * (from + i));
      if (used > 0) {
        int bits = layout.countBits();
        PackedCounts.set(ints, i * size, bits, PackedCounts.mask(bits), used);
      }
    }
    long[] words = new long[(ints.length + 1) / 2];
    for (int i = 0; i < ints.length; i++) {
      words[i / 2] |= (ints[i] & 0xffff_ffffL) << (i % 2 * Integer.SIZE);
    }
    out.writeLongs(words, 0, words.length);
  }

  /** Reads counters that {@link #write} wrote, and refuses all that it could not have written. */
  static Counters read(CountingLayout layout, PayloadInput in, FilterLimits limits, int stripes)
      throws IOException {
    checkSize(layout, in);
    if (HeapLimit.isBelow(in.size())) {
      throw HeapLimit.tooLow(in.size(), "map the file");
    }
    BitTable present = BitTable.read(layout.bits(), in, ThreadMode.CONFINED);
    int[] counts = in.readInts((long) layout.blocks() * layout.countInts());
    CounterFormat format =
        new CounterFormat(layout, i -> present.sharedWords()[(int) i], i -> counts[(int) i], in);
    format.checkBlocks();
    Counters counters = new Counters(layout, present, counts, limits, stripes);
    format.forEachPart(counters::restore);
    return counters;
  }

  /** Returns the lower half of a word if a number is even, and the upper half if it is odd. */
  private static int intOf(long word, long number) {
    return (int) (word >>> ((int) (number & 1) * Integer.SIZE));
  }

  /** Checks a payload without keeping it. */
  static void check(CountingLayout layout, PayloadInput in) throws IOException {
    checkSize(layout, in);
    MappedTable present = MappedTable.map(layout.bits(), in);
    MappedTable counts = MappedTable.map(layout.countWords() * Long.SIZE, in);
    if (layout.blocks() * layout.countInts() % 2 != 0
        && intOf(counts.word(layout.countWords() - 1), 1) != 0) {
      throw in.malformed("bits behind the last int must be zero, but are not");
    }
    CounterFormat format =
        new CounterFormat(layout, present::word, i -> intOf(counts.word(i / 2), i), in);
    format.checkBlocks();
    format.forEachPart((blocks, part) -> {});
  }

  /** Checks that a payload has a size that there can be. */
  static void checkSize(CountingLayout layout, PayloadInput in) throws FilterFormatException {
    long size = in.size() - layout.bytesOfBlocks();
    // What announces more is not too large for the heap, but wrong.
    if (size < 0
        || size % Planes.BYTES != 0
        || size / Planes.BYTES / Planes.MAX > layout.blocks()) {
      throw wrongSize(layout, in, "16 for each plane of a spilled block");
    }
  }

  private static FilterFormatException wrongSize(
      CountingLayout layout, PayloadInput in, String planes) {
    return in.malformed(
        "payload must have "
            + layout.bytesOfBlocks()
            + " bytes for the blocks and "
            + planes
            + ", but has "
            + in.size());
  }

  /** Checks all fields, and that there are as many planes as spilled blocks say. */
  private void checkBlocks() throws FilterFormatException {
    long planes = 0;
    long mask = PackedCounts.mask(layout.countBits());
    for (int block = 0; block < layout.blocks(); block++) {
      long first = first(block);
      long second = second(block);
      if (first != mask) {
        checkField(2L * block, first);
        checkField(2L * block + 1, second);
        continue;
      }
      if (second < 1 || second > Planes.MAX) {
        throw in.malformed(
            "planes of a spilled block must be from 1 to "
                + Planes.MAX
                + ", but are "
                + second
                + " of block "
                + block);
      }
      planes += second;
    }
    if (in.size() != layout.bytesOfBlocks() + planes * Planes.BYTES) {
      throw wrongSize(layout, in, planes * Planes.BYTES + " for the planes of spilled blocks");
    }
  }

  private void checkField(long word, long field) throws FilterFormatException {
    if (!UnaryCounts.isSound(present.applyAsLong(word), field, layout.countBits())) {
      throw in.malformed(
          "counts must be of the positions that are present and nothing else, but those of word "
              + word
              + " are not");
    }
  }

  private long first(int block) {
    return pair((long) block * layout.countInts()) & PackedCounts.mask(layout.countBits());
  }

  private long second(int block) {
    return pair((block + 1L) * layout.countInts() - 2) >>> -layout.countBits();
  }

  private long pair(long index) {
    return (counts.at(index) & 0xffff_ffffL) | (long) counts.at(index + 1) << Integer.SIZE;
  }

  /** Takes the planes of spilled blocks, some at a time, and hands them on if sound. */
  private void forEachPart(SpilledAction action) throws IOException {
    int[] blocks = new int[Math.min(ReadPlanes.PART_BLOCKS, layout.blocks())];
    int[] ends = new int[blocks.length];
    long[] planes = new long[2 * Planes.MAX]; // of one block, for all of them
    long mask = PackedCounts.mask(layout.countBits());
    int size = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      if (first(block) == mask) {
        blocks[size] = block;
        ends[size] = (size == 0 ? 0 : ends[size - 1]) + 2 * (int) second(block);
        size++;
      }
      if (size == blocks.length || (size > 0 && block == layout.blocks() - 1)) {
        ReadPlanes.Part part =
            new ReadPlanes.Part(in.readLongs(ends[size - 1]), Arrays.copyOf(ends, size));
        for (int i = 0; i < size; i++) {
          part.copyTo(i, planes);
          checkPlanes(blocks[i], planes, ends[i] - (i == 0 ? 0 : ends[i - 1]));
        }
        action.accept(blocks, part);
        size = 0;
      }
    }
  }

  private void checkPlanes(int block, long[] planes, int length) throws FilterFormatException {
    long present0 = present.applyAsLong(2L * block);
    long present1 = present.applyAsLong(2L * block + 1);
    for (int i = 0; i < planes.length; i += 2) {
      if (((planes[i] & ~present0) | (planes[i + 1] & ~present1)) != 0) {
        throw in.malformed(
            "a position must be present to be counted, but one of block " + block + " is not");
      }
    }
    if (2 * Planes.used(planes) != length) {
      throw in.malformed(
          "the last plane must count something, but that of block " + block + " does not");
    }
    if (Planes.fit(planes, 0, present0, layout.countBits())
        && Planes.fit(planes, 1, present1, layout.countBits())) {
      throw in.malformed(
          "only counts that do not fit may be in planes, but those of block " + block + " fit");
    }
  }
}
