package io.bloomery.counting;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.internal.HeapLimit;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A counting filter's content as it is written: the words that queries read, the counts of all
 * blocks as each layout has them, and the planes of those that are spilled, in ascending order.
 * {@code docs/FORMAT.md} describes every bit.
 */
final class CounterFormat {

  private final CountingLayout layout;
  private final LongUnaryOperator present;
  private final Records records;
  private final PayloadInput in;

  /**
   * Prepares to check what was taken from a payload, and to take what follows it.
   *
   * @param present gives a word that queries read by its number
   */
  CounterFormat(
      CountingLayout layout, LongUnaryOperator present, Records records, PayloadInput in) {
    this.layout = layout;
    this.present = present;
    this.records = records;
    this.in = in;
  }

  /** What a payload says of blocks between the words that queries read and the planes. */
  interface Records {

    boolean isSpilled(int block);

    /** Returns how many planes a spilled block is said to have. */
    long planes(int block);

    /** Returns what must hold of a block, and does not, or null: of its planes nothing is said. */
    @Nullable String unsound(int block);

    /** Returns whether a block need not be spilled for counts in planes, {@link Planes#MAX}. */
    boolean fit(int block, long[] planes);
  }

  /** What is done with the planes of some spilled blocks once they are known to be sound. */
  @FunctionalInterface
  private interface SpilledAction {
    void accept(int[] blocks, ReadPlanes.Part part);
  }

  static void write(BlockCounters<?> counters, PayloadOutput out) throws IOException {
    out.begin(counters.payloadSize());
    counters.presentTable().write(out);
    counters.writeRecords(out);
    if (counters.spilled().room().used() == 0) {
      return;
    }
    for (int block = 0; block < counters.layout().blocks(); block++) {
      int used = counters.planesInUse(2 * block);
      if (used > 0) {
        out.writeLongs(counters.planes(2 * block), 0, 2 * used);
      }
    }
  }

  /** Writes ints as words, two in each, the lower half first. */
  static void writeInts(int[] ints, PayloadOutput out) throws IOException {
    long[] words = new long[(ints.length + 1) / 2];
    for (int i = 0; i < ints.length; i++) {
      words[i / 2] |= (ints[i] & 0xffff_ffffL) << (i % 2 * Integer.SIZE);
    }
    out.writeLongs(words, 0, words.length);
  }

  /** Prepares to read a payload, if it has a size that there can be and that the heap can hold. */
  static void begin(CountingLayout layout, PayloadInput in) throws IOException {
    checkSize(layout, in);
    if (HeapLimit.isBelow(in.size())) {
      throw HeapLimit.tooLow(in.size(), "map the file");
    }
  }

  /** Maps ints of a payload, of which each word has two. */
  static LongUnaryOperator mapInts(long count, PayloadInput in) throws IOException {
    long words = (count + 1) / 2;
    MappedTable table = MappedTable.map(words * Long.SIZE, in);
    if (count % 2 != 0 && table.word(words - 1) >>> Integer.SIZE != 0) {
      throw in.malformed("bits behind the last int must be zero, but are not");
    }
    return i -> (table.word(i / 2) >>> ((int) (i & 1) * Integer.SIZE)) & 0xffff_ffffL;
  }

  /** Reads the planes of spilled blocks into counters that have all before them. */
  void restore(BlockCounters<?> counters) throws IOException {
    checkBlocks();
    forEachPart(counters::restore);
  }

  /** Checks a payload, of which all before the planes was taken. */
  void check() throws IOException {
    checkBlocks();
    forEachPart((blocks, part) -> {});
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

  /** Checks all blocks, and that there are as many planes as spilled ones say. */
  private void checkBlocks() throws FilterFormatException {
    long planes = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      String reason = records.unsound(block);
      if (reason != null) {
        throw in.malformed(reason);
      }
      if (records.isSpilled(block)) {
        planes += planes(block);
      }
    }
    if (in.size() != layout.bytesOfBlocks() + planes * Planes.BYTES) {
      throw wrongSize(layout, in, planes * Planes.BYTES + " for the planes of spilled blocks");
    }
  }

  private long planes(int block) throws FilterFormatException {
    long planes = records.planes(block);
    if (planes < 1 || planes > Planes.MAX) {
      throw in.malformed(
          "planes of a spilled block must be from 1 to "
              + Planes.MAX
              + ", but are "
              + planes
              + " of block "
              + block);
    }
    return planes;
  }

  /** Takes the planes of spilled blocks, some at a time, and hands them on if sound. */
  private void forEachPart(SpilledAction action) throws IOException {
    int[] blocks = new int[Math.min(ReadPlanes.PART_BLOCKS, layout.blocks())];
    int[] ends = new int[blocks.length];
    long[] planes = new long[2 * Planes.MAX]; // of one block, for all of them
    int size = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      if (records.isSpilled(block)) {
        blocks[size] = block;
        ends[size] = (size == 0 ? 0 : ends[size - 1]) + 2 * (int) records.planes(block);
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
    if (records.fit(block, planes)) {
      throw in.malformed(
          "only counts that do not fit may be in planes, but those of block " + block + " fit");
    }
  }
}
