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
 * The {@link Planes} of a stripe's spilled blocks, each by a number that its block keeps in place
 * of its counts. Those that were read have the lowest numbers, and stay where they were read until
 * they become more.
 *
 * <p>What could fail for want of memory comes before the first change.
 */
final class SpilledBlocks {

  /** The number of a block that has none yet. */
  static final int NEW = -1;

  private static final long[] NONE = {};

  // Hardly any block is spilled at first, and all of them are if every key is put several times.
  private static final ArraySizingStrategy GROWTH =
      new BoundedProportionalArraySizingStrategy(
          2, BoundedProportionalArraySizingStrategy.DEFAULT_MAX_GROW_COUNT, 1.25f);

  private final SpillRoom room;
  private final ReadPlanes read; // of all stripes
  private final ObjectArrayList<long[]> planes; // NONE where a number is free
  private @Nullable IntArrayList free; // null as long as none was
  private int inUse; // of the planes

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

  /** Returns whether the planes of a block lie where they were read. */
  boolean isAsRead(int number) {
    return number < read.size();
  }

  /**
   * Returns the planes of a block, which may be a copy: who changes them must {@link #set} them.
   * The last of them may be empty.
   */
  long[] get(int number) {
    return isAsRead(number) ? read.get(number) : planes.get(number - read.size());
  }

  /** Replaces the planes of a block by as many. */
  private void set(int number, long[] changed) {
    if (isAsRead(number)) {
      read.set(number, changed);
    } else {
      planes.set(number - read.size(), changed);
    }
  }

  /**
   * Makes room for so many blocks more, but not for their planes: {@link #addReserved} cannot fail
   * then.
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

  /** Keeps a block whose room was taken and reserved, and returns its number. */
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
   * Keeps the planes of a block, and returns its number.
   *
   * @throws FilterFullException if memory or room does not suffice; nothing has changed
   */
  int add(long[] added) {
    reserve(1);
    room.take(Planes.used(added));
    return addReserved(added);
  }

  /**
   * Keeps the planes of a block, for which room was taken and reserved, and returns its number.
   *
   * @param number the one that it had, or {@link #NEW}
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
   * Counts some positions of a block up, all of them present.
   *
   * @return its number from then on
   * @throws FilterFullException if memory or room does not suffice, or a count is the largest that
   *     there can be; nothing has changed
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
      reserve(1); // for it to move to
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
   * Replaces the planes of a block by those after counts went down, and gives back what it no
   * longer needs.
   *
   * @param before how many planes it had
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
        // What is there is right, and only larger than need be.
      }
    }
  }

  /**
   * Forgets a block.
   *
   * @param before how many planes it had
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
      // The block is forgotten all the same; its number is not given again.
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
