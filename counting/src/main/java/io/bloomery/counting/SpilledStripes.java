package io.bloomery.counting;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The spilled blocks of a filter, grouped by stripe: one {@link SpilledBlocks} for the blocks that
 * share a lock, created when the first of them is spilled.
 */
final class SpilledStripes {

  private final SpillRoom room;
  private ReadPlanes read;
  private final @Nullable SpilledBlocks[] stripes;

  /**
   * Creates empty stripes.
   *
   * @param stripes the number of stripes, a power of two
   */
  SpilledStripes(SpillRoom room, int stripes) {
    this(room, new ReadPlanes(), new @Nullable SpilledBlocks[stripes]);
  }

  private SpilledStripes(SpillRoom room, ReadPlanes read, @Nullable SpilledBlocks[] stripes) {
    this.room = room;
    this.read = read;
    this.stripes = stripes;
  }

  /** Returns the number of stripes. */
  int count() {
    return stripes.length;
  }

  /** Returns the stripe of the block that has a word. */
  int stripe(int word) {
    return (word >>> 1) & (stripes.length - 1);
  }

  /** Returns the spilled blocks of the stripe of a word's block. */
  SpilledBlocks of(int word) {
    return ofStripe(stripe(word));
  }

  private SpilledBlocks ofStripe(int stripe) {
    SpilledBlocks blocks = stripes[stripe];
    if (blocks == null) {
      blocks = new SpilledBlocks(room, read);
      stripes[stripe] = blocks;
    }
    return blocks;
  }

  /**
   * Adds planes read from a file, and returns the number of their first block; the others have the
   * next numbers.
   */
  int add(ReadPlanes.Part part) {
    room.take(part.planes());
    return read.add(part);
  }

  /**
   * Reserves capacity for more spilled blocks in a stripe, but not for their planes.
   *
   * @throws io.bloomery.filter.FilterFullException if memory does not suffice; nothing has changed
   */
  void reserve(int stripe, int more) {
    if (more == 0) {
      return;
    }
    try {
      ofStripe(stripe).reserve(more);
    } catch (OutOfMemoryError e) {
      throw SpilledBlocks.noMemory(e);
    }
  }

  SpillRoom room() {
    return room;
  }

  SpilledStripes copy() {
    SpillRoom roomOfCopy = room.copy();
    ReadPlanes readOfCopy = read.copy();
    @Nullable SpilledBlocks[] copies = new @Nullable SpilledBlocks[stripes.length];
    for (int i = 0; i < stripes.length; i++) {
      SpilledBlocks blocks = stripes[i];
      copies[i] = blocks == null ? null : blocks.copy(roomOfCopy, readOfCopy);
    }
    return new SpilledStripes(roomOfCopy, readOfCopy, copies);
  }

  void clear() {
    room.clear();
    read = new ReadPlanes();
    Arrays.fill(stripes, null);
  }
}
