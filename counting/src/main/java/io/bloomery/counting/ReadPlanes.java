package io.bloomery.counting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The {@link Planes} of spilled blocks read from a file: those of many blocks in one array, so that
 * a filter never takes more memory than its file has bytes, even if the file is hostile. A block
 * with an array of its own would take 36 bytes for 16 in a file.
 *
 * <p>The planes of a block can change, but not their number. Blocks of different stripes may be
 * changed concurrently.
 */
final class ReadPlanes {

  /** The number of blocks in a part; the last part may have fewer. */
  static final int PART_BLOCKS = 1 << 10;

  private static final Part FORGOTTEN = new Part(new long[0], new int[0]);

  private final List<Part> parts;
  private int size;

  ReadPlanes() {
    this(new ArrayList<>(), 0);
  }

  private ReadPlanes(List<Part> parts, int size) {
    this.parts = parts;
    this.size = size;
  }

  /** The planes of consecutive blocks, and the end index of each block. */
  static final class Part {

    private final long[] planes;
    private final int[] ends;
    private final AtomicInteger used;

    Part(long[] planes, int[] ends) {
      this(planes, ends, ends.length);
    }

    private Part(long[] planes, int[] ends, int used) {
      this.planes = planes;
      this.ends = ends;
      this.used = new AtomicInteger(used);
    }

    /** Returns the number of planes of all blocks. */
    int planes() {
      return planes.length / 2;
    }

    int blocks() {
      return ends.length;
    }

    private int start(int block) {
      return block == 0 ? 0 : ends[block - 1];
    }

    private Part copy() {
      return new Part(planes.clone(), ends, used.get());
    }

    /** Copies the planes of a block to the beginning of an array, and clears the rest. */
    void copyTo(int block, long[] array) {
      int length = ends[block] - start(block);
      System.arraycopy(planes, start(block), array, 0, length);
      Arrays.fill(array, length, array.length, 0);
    }
  }

  /**
   * Adds a part, and returns the number of its first block; the other blocks have the next numbers.
   */
  int add(Part part) {
    int first = size;
    parts.add(part);
    size += part.blocks();
    return first;
  }

  /** Returns the number of blocks, including removed ones. */
  int size() {
    return size;
  }

  ReadPlanes copy() {
    List<Part> copies = new ArrayList<>(parts.size());
    parts.forEach(part -> copies.add(part.copy()));
    return new ReadPlanes(copies, size);
  }

  private Part part(int number) {
    return parts.get(number / PART_BLOCKS);
  }

  /** Returns a copy of a block's planes. */
  long[] get(int number) {
    Part part = part(number);
    int block = number % PART_BLOCKS;
    return Arrays.copyOfRange(part.planes, part.start(block), part.ends[block]);
  }

  /** Replaces a block's planes by the same number of planes. */
  void set(int number, long[] planes) {
    Part part = part(number);
    System.arraycopy(planes, 0, part.planes, part.start(number % PART_BLOCKS), planes.length);
  }

  /** Removes a block; its memory is freed when all blocks of its part are removed. */
  void remove(int number) {
    if (part(number).used.decrementAndGet() == 0) {
      parts.set(number / PART_BLOCKS, FORGOTTEN);
    }
  }
}
