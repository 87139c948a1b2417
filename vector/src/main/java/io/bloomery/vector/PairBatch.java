package io.bloomery.vector;

import static io.bloomery.vector.Lanes.HASHES;
import static io.bloomery.vector.Lanes.INDICES;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.internal.Batches;
import io.bloomery.internal.PairKernel;
import java.lang.invoke.VarHandle;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/** The kernel of batches in counting filters, eight hashes at a time. */
public final class PairBatch implements PairKernel {

  // What counting filters take of the time of blocked ones, in plain Java.
  private static final double OF_BLOCKED = 0.85;

  private final Trial trial;

  /**
   * Creates a kernel, for ServiceLoader.
   *
   * @throws UnsupportedOperationException if plain Java is faster in this JVM, or the system
   *     property {@code bloomery.vectors} is {@code false}
   */
  public PairBatch() {
    this(Trial.ofThisJvm("counting", OF_BLOCKED, Lanes.COUNT, PairBatch::race));
  }

  PairBatch(Trial trial) {
    this.trial = trial;
  }

  static Trial.Race race() {
    long[] words = Trial.words();
    BlockedKernel plain = BlockedKernel.plain();
    return (vectors, hashes, from, to, hits) ->
        vectors
            ? select(words, hashes, from, to, hits, 0)
            : plain.selectTwoWords(words, hashes, from, to, hits, 0);
  }

  @Override
  public int select(
      Batches.Each queries, long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    if (!trial.won(to - from)) {
      return queries.selectEach(hashes, from, to, hits, found);
    }
    int end = to - (to - from) % Lanes.COUNT;
    int next = select(words, hashes, from, end, hits, found);
    return queries.selectEach(hashes, end, to, hits, next);
  }

  // One method, and places of indices, as in TwoWordBatch.
  private static int select(long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    VarHandle.loadLoadFence(); // makes puts of other threads visible to a caller that spins
    LongVector size = Lanes.factor(words.length);
    int scratch = found - from;
    int next = found;
    for (int i = from; i < to; i += Lanes.COUNT) {
      LongVector hash = LongVector.fromArray(HASHES, hashes, i);
      IntVector places =
          (IntVector)
              hash.and(0xFFFF_FFFFL)
                  .mul(size)
                  .lanewise(VectorOperators.LSHR, Integer.SIZE)
                  .convertShape(VectorOperators.L2I, INDICES, 0);
      places.intoArray(hits, scratch + i);
      LongVector upper = hash.lanewise(VectorOperators.LSHR, Integer.SIZE);
      LongVector first =
          LongVector.fromArray(HASHES, words, 0, hits, scratch + i)
              .lanewise(VectorOperators.ROR, upper);
      places.lanewise(VectorOperators.XOR, 1).intoArray(hits, scratch + i);
      LongVector both =
          LongVector.fromArray(HASHES, words, 0, hits, scratch + i)
              .lanewise(VectorOperators.ROR, upper.lanewise(VectorOperators.LSHR, 6))
              .and(first);
      LongVector pair =
          LongVector.broadcast(HASHES, 2)
              .lanewise(VectorOperators.LSHL, hash.lanewise(VectorOperators.LSHR, 59))
              .or(1);
      int set = (int) pair.and(both).compare(VectorOperators.EQ, pair).toLong();
      IntVector.fromArray(INDICES, Lanes.ORDER, set * Lanes.COUNT).add(i).intoArray(hits, next);
      next += Integer.bitCount(set);
    }
    return next;
  }
}
