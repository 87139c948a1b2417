package io.bloomery.counting;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.HeapLimit;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a counting filter: the words that queries read, the counts of all blocks in the
 * form of the layout, and the planes of spilled blocks, in ascending order. {@code docs/FORMAT.md}
 * describes every bit.
 */
final class CounterFormat {

  private final CountingLayout layout;
  private final LongUnaryOperator present;
  private final Records records;
  private final PayloadInput in;

  /**
   * Prepares to check the records already read from a payload, and to read the planes that follow.
   *
   * @param present returns a word that queries read, by its index
   */
  CounterFormat(
      CountingLayout layout, LongUnaryOperator present, Records records, PayloadInput in) {
    this.layout = layout;
    this.present = present;
    this.records = records;
    this.in = in;
  }

  /** The part of a payload between the words that queries read and the planes. */
  interface Records {

    boolean isSpilled(int block);

    /** Returns the number of planes that a record states for a spilled block. */
    long planes(int block);

    /**
     * Returns why the record of a block is invalid, or null if it is valid; planes are not checked.
     */
    @Nullable String unsound(int block);

    /**
     * Returns whether the counts in {@link Planes#MAX} planes fit in a block that is not spilled.
     */
    boolean fit(int block, long[] planes);
  }

  /** An action on the planes of some spilled blocks, which have been checked. */
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
    for (int i = 0; i < ints.length / 2; i++) {
      words[i] = (ints[2 * i] & 0xffff_ffffL) | (long) ints[2 * i + 1] << Integer.SIZE;
    }
    if (ints.length % 2 != 0) {
      words[ints.length / 2] = ints[ints.length - 1] & 0xffff_ffffL;
    }
    out.writeLongs(words, 0, words.length);
  }

  /** Checks before a payload is read that its size is possible and fits in the heap. */
  static void begin(CountingLayout layout, PayloadInput in) throws IOException {
    checkSize(layout, in);
    if (HeapLimit.isBelow(in.size())) {
      throw ContentTooLargeException.of(in.size());
    }
  }

  /** Maps ints of a payload, two in each word. */
  static LongUnaryOperator mapInts(long count, PayloadInput in) throws IOException {
    long words = (count + 1) / 2;
    MappedTable table = MappedTable.map(words * Long.SIZE, in);
    if (count % 2 != 0 && table.word(words - 1) >>> Integer.SIZE != 0) {
      throw in.malformed("bits behind the last int must be zero, but are not");
    }
    return i -> (table.word(i / 2) >>> ((int) (i & 1) * Integer.SIZE)) & 0xffff_ffffL;
  }

  /** Reads the planes of spilled blocks into counters that have the rest of the payload. */
  void restore(BlockCounters<?> counters) throws IOException {
    checkBlocks();
    forEachPart(counters::restore);
  }

  /** Checks a payload that has been read up to the planes. */
  void check() throws IOException {
    checkBlocks();
    forEachPart((blocks, part) -> {});
  }

  /** Checks that the size of a payload is possible for a layout. */
  static void checkSize(CountingLayout layout, PayloadInput in) throws FilterFormatException {
    long size = in.size() - layout.bytesOfBlocks();
    // A larger size is malformed, rather than too large for the heap.
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

  /** Checks all records, and that the number of planes is the sum of those that they state. */
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

  /** Reads and checks the planes of spilled blocks, and passes them part by part to an action. */
  private void forEachPart(SpilledAction action) throws IOException {
    int[] blocks = new int[Math.min(ReadPlanes.PART_BLOCKS, layout.blocks())];
    int[] ends = new int[blocks.length];
    long[] planes = new long[2 * Planes.MAX]; // of one block, reused
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
