package io.bloomery.counting;

import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.spi.BitTable;
import java.io.IOException;

/**
 * An exact counter for each position of a number of blocks, however a block keeps its counts that
 * is not spilled: what there is to merge and to write.
 *
 * <p>Updates are not part of it: no call that could go to either layout stands between a filter and
 * its arrays. A block is meant by its first word, whose number is even.
 *
 * @param <C> the layout that they have
 */
interface BlockCounters<C extends BlockCounters<C>> {

  CountingLayout layout();

  /** Returns which counters are above zero; others may write to it. */
  long[] present();

  BitTable presentTable();

  SpilledStripes spilled();

  /** Returns the number of a block among those that are spilled, or {@link SpilledBlocks#NEW}. */
  int number(int even);

  /** Turns a block into a spilled one by a number. */
  void setSpilled(int even, int number);

  void setPresent(int even, long first, long second);

  /** Returns the counts of any block: the planes themselves if it is spilled. */
  long[] planes(int even);

  /**
   * Returns the least of some counters of a block.
   *
   * @param word the first word of a key, even or not
   * @param first which counters of it are meant
   * @param second and which of the block's other word
   */
  long min(int word, long first, long second);

  /** Returns whether the counts of a block would need planes with those of {@code other} added. */
  boolean spillsWith(C other, int even);

  /** Adds the counts of a block of {@code other} that do not spill with it. */
  void addBlock(C other, int even);

  /** Writes all that a payload has between the words that queries read and the planes. */
  void writeRecords(PayloadOutput out) throws IOException;

  C copy();

  void clear();

  /** Returns how many planes a block has: none unless it is spilled. */
  default int planesInUse(int even) {
    int number = number(even);
    return number == SpilledBlocks.NEW ? 0 : Planes.used(spilled().of(even).get(number));
  }

  /** Returns whether a block is spilled, and has an array of its own, which may be replaced. */
  default boolean hasOwnPlanes(int even) {
    int number = number(even);
    return number != SpilledBlocks.NEW && !spilled().of(even).isAsRead(number);
  }

  /** Takes the planes of a block's sums, for which there is room. */
  default void setReserved(int even, long[] planes, long present0, long present1) {
    setSpilled(even, spilled().of(even).putReserved(number(even), planes));
    setPresent(even, present0, present1);
  }

  /** Takes the planes of blocks that were read as spilled. */
  default void restore(int[] blocks, ReadPlanes.Part part) {
    int first = spilled().add(part);
    for (int i = 0; i < part.blocks(); i++) {
      spilled().of(2 * blocks[i]); // which counting up and down must not fail to make
      setSpilled(2 * blocks[i], first + i);
    }
  }

  /**
   * Adds all counts of {@code other}, which has the same layout and may not change meanwhile.
   *
   * @throws FilterFullException if a sum would be too large, or memory or room does not suffice;
   *     nothing has changed
   */
  default void addAll(C other) {
    CounterMerge<C> merge = new CounterMerge<>(self(), other);
    merge.prepare();
    merge.commit();
  }

  /** Returns these counters as what they are. */
  C self();

  default long payloadSize() {
    return layout().bytesOfBlocks() + spilled().room().used() * Planes.BYTES;
  }
}
