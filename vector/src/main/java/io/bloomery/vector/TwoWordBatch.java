package io.bloomery.vector;

import static io.bloomery.vector.Lanes.HASHES;
import static io.bloomery.vector.Lanes.INDICES;

import java.lang.invoke.VarHandle;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/** Queries of blocks of two words, eight hashes at a time, each in a lane of its own. */
final class TwoWordBatch {
  // decisions.md#batches-in-blocks-of-two-words-use-vectors-after-a-trial

  private TwoWordBatch() {}

  /**
   * Selects as {@link io.bloomery.blocked.BlockedKernel#selectTwoWords} does.
   *
   * @param to follows {@code from} by a multiple of the number of lanes
   */
  // One method, for the reason in VectorKernel.
  static int select(long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    LongVector twiceBlocks = Lanes.factor(2 * (words.length - 1L));
    VarHandle.loadLoadFence(); // makes puts of other threads visible to a caller that spins
    int scratch = found - from;
    int next = found;
    for (int i = from; i < to; i += Lanes.COUNT) {
      LongVector hash = LongVector.fromArray(HASHES, hashes, i);
      LongVector first =
          hash.and(0xFFFF_FFFFL).mul(twiceBlocks).lanewise(VectorOperators.LSHR, Integer.SIZE + 1);
      // The gather takes its indices from an array. Results have not come that far in this one,
      // and a place that depended on them would make each read wait for the previous ones.
      ((IntVector) first.convertShape(VectorOperators.L2I, INDICES, 0))
          .intoArray(hits, scratch + i);
      LongVector upper = hash.lanewise(VectorOperators.LSHR, Integer.SIZE);
      LongVector both =
          LongVector.fromArray(HASHES, words, 0, hits, scratch + i)
              .lanewise(VectorOperators.ROR, upper)
              .and(
                  LongVector.fromArray(HASHES, words, 1, hits, scratch + i)
                      .lanewise(VectorOperators.ROR, upper.lanewise(VectorOperators.LSHR, 6)));
      // Bits 0, 1 + number mod 31 and 32 + number / 2: less time than to gather them from a table.
      LongVector number = hash.lanewise(VectorOperators.LSHR, 58);
      LongVector quotient =
          number
              .add(number.lanewise(VectorOperators.LSHR, 5))
              .add(1)
              .lanewise(VectorOperators.LSHR, 5);
      LongVector pattern =
          LongVector.broadcast(HASHES, 2)
              .lanewise(VectorOperators.LSHL, number.add(quotient).and(31))
              .or(
                  LongVector.broadcast(HASHES, 1L << 32)
                      .lanewise(VectorOperators.LSHL, number.lanewise(VectorOperators.LSHR, 1)))
              .or(1);
      int set = (int) pattern.and(both).compare(VectorOperators.EQ, pattern).toLong();
      IntVector.fromArray(INDICES, Lanes.ORDER, set * Lanes.COUNT).add(i).intoArray(hits, next);
      next += Integer.bitCount(set);
    }
    return next;
  }
}
