package io.bloomery.counting;

import com.carrotsearch.hppc.ArraySizingStrategy;
import com.carrotsearch.hppc.BoundedProportionalArraySizingStrategy;
import com.carrotsearch.hppc.BufferAllocationException;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.ObjectArrayList;
import io.bloomery.filter.FilterFullException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Planes} of a stripe's spilled blocks by number; a spilled block stores its number in
 * place of its counts. Blocks read from a file have the lowest numbers, and stay in {@link
 * ReadPlanes} until they need more planes.
 *
 * <p>Everything that can fail for lack of memory is done before the first change.
 */
final class SpilledBlocks {
  // decisions.md#a-block-whose-counts-do-not-fit-is-spilled-to-planes-as-a-whole-if-its-counts-need-it-and-only-then

  /** The number of a block that is not spilled. */
  static final int NEW = -1;

  private static final long[] NONE = {};

  // Few blocks are spilled at first, but all are if every key is put several times.
  private static final ArraySizingStrategy GROWTH =
      new BoundedProportionalArraySizingStrategy(
          2, BoundedProportionalArraySizingStrategy.DEFAULT_MAX_GROW_COUNT, 1.25f);

  private final SpillRoom room;
  private final ReadPlanes read; // of all stripes
  private final ObjectArrayList<long[]> planes; // NONE if a number is free
  private @Nullable IntArrayList free; // null until a number is freed
  private int inUse; // the number of elements that are not NONE

  SpilledBlocks(SpillRoom room, ReadPlanes read) {
    this(room, read, new ObjectArrayList<>(0, GROWTH), null, 0);
  }

  private SpilledBlocks(
      SpillRoom room,
      ReadPlanes read,
      ObjectArrayList<long[]> planes,
      @Nullable IntArrayList free,
      int inUse) {
    this.room = room;
    this.read = read;
    this.planes = planes;
    this.free = free;
    this.inUse = inUse;
  }

  SpilledBlocks copy(SpillRoom room, ReadPlanes read) {
    ObjectArrayList<long[]> copies = new ObjectArrayList<>(planes.size(), GROWTH);
    for (int i = 0; i < planes.size(); i++) {
      copies.add(planes.get(i).clone());
    }
    return new SpilledBlocks(room, read, copies, free == null ? null : free.clone(), inUse);
  }

  /** Returns whether the planes of a block are in {@link ReadPlanes}. */
  boolean isAsRead(int number) {
    return number < read.size();
  }

  /**
   * Returns the planes of a block, which may be a copy: a caller that changes them must {@link
   * #set} them. The last plane may be empty.
   */
  long[] get(int number) {
    return isAsRead(number) ? read.get(number) : planes.get(number - read.size());
  }

  /** Replaces the planes of a block by the same number of planes. */
  private void set(int number, long[] changed) {
    if (isAsRead(number)) {
      read.set(number, changed);
    } else {
      planes.set(number - read.size(), changed);
    }
  }

  /**
   * Reserves capacity for more blocks, but not for their planes, so that {@link #addReserved}
   * cannot fail.
   *
   * @throws FilterFullException if memory does not suffice; nothing has changed
   */
  void reserve(int more) {
    try {
      planes.ensureCapacity(planes.size() + more);
    } catch (BufferAllocationException | OutOfMemoryError e) {
      throw noMemory(e);
    }
  }

  /** Adds a block for which capacity is reserved and room taken, and returns its number. */
  private int addReserved(long[] added) {
    inUse++;
    if (free != null && !free.isEmpty()) {
      int at = free.removeLast();
      planes.set(at, added);
      return read.size() + at;
    }
    planes.add(added);
    return read.size() + planes.size() - 1;
  }

  /**
   * Adds the planes of a block, and returns its number.
   *
   * @throws FilterFullException if memory or the limit of the filter does not suffice; nothing has
   *     changed
   */
  int add(long[] added) {
    reserve(1);
    room.take(Planes.used(added));
    return addReserved(added);
  }

  /**
   * Adds or replaces the planes of a block, for which capacity is reserved and room taken, and
   * returns its number.
   *
   * @param number the number it had, or {@link #NEW}
   */
  int putReserved(int number, long[] by) {
    if (number != NEW && !isAsRead(number)) {
      planes.set(number - read.size(), by);
      return number;
    }
    if (number != NEW) {
      read.remove(number);
    }
    return addReserved(by);
  }

  /**
   * Increments the counts of some present positions of a block.
   *
   * @return the new number of the block
   * @throws FilterFullException if memory or the limit of the filter does not suffice, or a count
   *     has the largest value; nothing has changed
   */
  int increment(int number, long mask0, long mask1) {
    long[] counted;
    try {
      counted = get(number);
    } catch (OutOfMemoryError e) {
      throw noMemory(e);
    }
    int used = Planes.used(counted);
    int length = counted.length;
    if (Planes.areFull(counted, used, mask0, mask1)) {
      counted = withOneMore(number, counted, used);
    }
    Planes.increment(counted, mask0, mask1);
    if (counted.length > length) {
      return putReserved(number, counted);
    }
    set(number, counted);
    return number;
  }

  private long[] withOneMore(int number, long[] full, int used) {
    if (used == Planes.MAX) {
      throw new FilterFullException(
          "a count must not exceed 2^" + Planes.MAX + ", and one is there; remove keys first");
    }
    if (isAsRead(number)) {
      reserve(1); // as it moves out of ReadPlanes
    }
    room.take(1);
    int length = 2 * (used + 1);
    if (full.length >= length) {
      return full;
    }
    try {
      return Arrays.copyOf(full, length);
    } catch (OutOfMemoryError e) {
      room.giveBack(1);
      throw noMemory(e);
    }
  }

  /**
   * Replaces the planes of a block after a decrement, and gives back the room of planes no longer
   * in use.
   *
   * @param before the number of planes it had
   */
  void shrink(int number, int before, long[] counted) {
    set(number, counted);
    int used = Planes.used(counted);
    if (used == before) {
      return;
    }
    room.giveBack(before - used);
    if (!isAsRead(number)) {
      try {
        set(number, Arrays.copyOf(counted, 2 * used));
      } catch (OutOfMemoryError e) {
        // The planes are correct, only larger than necessary.
      }
    }
  }

  /**
   * Removes a block.
   *
   * @param before the number of planes it had
   */
  void remove(int number, int before) {
    room.giveBack(before);
    if (isAsRead(number)) {
      read.remove(number);
      return;
    }
    planes.set(number - read.size(), NONE);
    inUse--;
    if (inUse == 0) {
      planes.release();
      free = null;
      return;
    }
    try {
      if (free == null) {
        free = new IntArrayList(0, GROWTH);
      }
      free.add(number - read.size());
    } catch (BufferAllocationException | OutOfMemoryError e) {
      // The block is removed all the same; its number is not reused.
    }
  }

  static FilterFullException noMemory(Throwable cause) {
    FilterFullException full =
        new FilterFullException(
            "the heap has no room for higher counts; remove keys, or raise -Xmx");
    full.initCause(cause);
    return full;
  }
}
