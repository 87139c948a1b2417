package io.bloomery.counting;

import com.carrotsearch.hppc.BufferAllocationException;
import com.carrotsearch.hppc.ObjectArrayList;
import io.bloomery.filter.FilterFullException;

/**
 * The addition of all counts of one filter to those of another, in two phases: everything that can
 * fail, then all changes.
 *
 * @param <C> the counters of both
 */
final class CounterMerge<C extends BlockCounters<C>> {

  private final C into;
  private final C from;
  private final ObjectArrayList<long[]> sums = new ObjectArrayList<>(0); // of spilled blocks

  CounterMerge(C into, C from) {
    this.into = into;
    this.from = from;
  }

  /**
   * Computes the planes of all blocks that need them, and takes room for them.
   *
   * @throws FilterFullException if a sum would be too large, or memory or the limit of the filter
   *     does not suffice
   */
  void prepare() {
    int[] moreBlocks = new int[into.spilled().count()];
    long morePlanes = 0;
    try {
      for (int even = 0; even < into.present().length; even += 2) {
        if (adds(even) && into.spillsWith(from, even)) {
          long[] sum = sum(even);
          sums.add(sum);
          morePlanes += Planes.used(sum) - into.planesInUse(even);
          moreBlocks[into.spilled().stripe(even)] += into.hasOwnPlanes(even) ? 0 : 1;
        }
      }
    } catch (BufferAllocationException | OutOfMemoryError e) {
      sums.release(); // or the heap has no room for the exception
      throw SpilledBlocks.noMemory(e);
    }
    for (int stripe = 0; stripe < moreBlocks.length; stripe++) {
      into.spilled().reserve(stripe, moreBlocks[stripe]);
    }
    into.spilled().room().take(morePlanes);
  }

  private boolean adds(int even) {
    return (from.present()[even] | from.present()[even + 1]) != 0;
  }

  private long[] sum(int even) {
    long[] sum =
        Planes.sum(
            into.planes(even),
            from.planes(even),
            into.present()[even] & from.present()[even],
            into.present()[even + 1] & from.present()[even + 1]);
    if (Planes.used(sum) > Planes.MAX) {
      throw new FilterFullException(
          "counts must add up to at most 2^"
              + Planes.MAX
              + ", but those of a position of block "
              + even / 2
              + " add up to more; remove keys first");
    }
    return sum;
  }

  void commit() {
    int next = 0;
    for (int even = 0; even < into.present().length; even += 2) {
      if (!adds(even)) {
        continue;
      }
      if (into.spillsWith(from, even)) {
        into.setReserved(
            even,
            sums.get(next++),
            into.present()[even] | from.present()[even],
            into.present()[even + 1] | from.present()[even + 1]);
      } else {
        into.addBlock(from, even);
      }
    }
  }
}
