package io.bloomery.counting;

import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.spi.BitTable;
import java.io.IOException;

/**
 * An exact counter for each position of the blocks of a filter, independent of the form of counts
 * in blocks that are not spilled: the operations for merging and writing.
 *
 * <p>Updates are not part of it, so that a filter makes no virtual call between its loops and its
 * arrays. A block is identified by the index of its first word, which is even.
 *
 * @param <C> the counters of the same form
 */
interface BlockCounters<C extends BlockCounters<C>> {

  CountingLayout layout();

  /** Returns which counters are above zero; other threads may write to it. */
  long[] present();

  BitTable presentTable();

  SpilledStripes spilled();

  /** Returns the number of a block among those that are spilled, or {@link SpilledBlocks#NEW}. */
  int number(int even);

  /** Marks a block as spilled, and stores its number. */
  void setSpilled(int even, int number);

  void setPresent(int even, long first, long second);

  /**
   * Returns the counts of a block as planes: if it is spilled, those of {@link SpilledBlocks#get}.
   */
  long[] planes(int even);

  /**
   * Returns the minimum of some counters of a block.
   *
   * @param word the first word of a key, even or not
   * @param first the positions in this word
   * @param second the positions in the block's other word
   */
  long min(int word, long first, long second);

  /** Returns whether the sums of a block's counts and those of {@code other} need planes. */
  boolean spillsWith(C other, int even);

  /** Adds the counts of a block of {@code other}, if the sums need no planes. */
  void addBlock(C other, int even);

  /** Writes the part of the payload between the words that queries read and the planes. */
  void writeRecords(PayloadOutput out) throws IOException;

  C copy();

  void clear();

  /** Returns the number of planes of a block: zero unless it is spilled. */
  default int planesInUse(int even) {
    int number = number(even);
    return number == SpilledBlocks.NEW ? 0 : Planes.used(spilled().of(even).get(number));
  }

  /**
   * Returns whether a block is spilled and its planes have an array of their own, which may be
   * replaced.
   */
  default boolean hasOwnPlanes(int even) {
    int number = number(even);
    return number != SpilledBlocks.NEW && !spilled().of(even).isAsRead(number);
  }

  /** Stores the planes of a block's sums, for which capacity is reserved and room taken. */
  default void setReserved(int even, long[] planes, long present0, long present1) {
    setSpilled(even, spilled().of(even).putReserved(number(even), planes));
    setPresent(even, present0, present1);
  }

  /** Adds the planes of spilled blocks read from a file. */
  default void restore(int[] blocks, ReadPlanes.Part part) {
    int first = spilled().add(part);
    for (int i = 0; i < part.blocks(); i++) {
      spilled().of(2 * blocks[i]); // created now: updates must not fail to create it
      setSpilled(2 * blocks[i], first + i);
    }
  }

  /**
   * Adds all counts of {@code other}, which has the same layout and must not change meanwhile.
   *
   * @throws FilterFullException if a sum would be too large, or memory or the limit of the filter
   *     does not suffice; nothing has changed
   */
  default void addAll(C other) {
    CounterMerge<C> merge = new CounterMerge<>(self(), other);
    merge.prepare();
    merge.commit();
  }

  /** Returns {@code this} with its own type. */
  C self();

  default long payloadSize() {
    return layout().bytesOfBlocks() + spilled().room().used() * Planes.BYTES;
  }
}
