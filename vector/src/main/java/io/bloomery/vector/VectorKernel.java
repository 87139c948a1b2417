package io.bloomery.vector;

import io.bloomery.blocked.BlockedKernel;
import java.lang.System.Logger.Level;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernel of blocked filters that processes the four words of a block as one vector, and batches
 * in blocks of two words eight hashes at a time.
 */
public final class VectorKernel implements BlockedKernel {

  private static final VectorSpecies<Long> BLOCK = LongVector.SPECIES_256;

  private static final LongVector ONE = LongVector.broadcast(BLOCK, 1);

  private static final int BITS_OF_NUMBER = 6;

  // The offsets in a pattern of the first bit number of each word; the second number follows it.
  private static final LongVector FIRST =
      LongVector.fromArray(BLOCK, new long[] {16, 28, 40, 52}, 0);

  private final Trial trial;

  /**
   * Creates a kernel, for ServiceLoader.
   *
   * @throws UnsupportedOperationException if plain Java is faster in this JVM, or the system
   *     property {@code bloomery.vectors} is {@code false}
   */
  public VectorKernel() {
    this(Trial.ofThisJvm("blocked", 1, Lanes.COUNT, VectorKernel::race));
    System.getLogger("io.bloomery.vector")
        .log(
            Level.DEBUG,
            "blocked filters with blocks of four words run with vectors of {0} longs",
            BLOCK.length());
  }

  /** Returns a race in a table of blocks of two words. */
  static Trial.Race race() {
    long[] words = Trial.words();
    BlockedKernel plain = BlockedKernel.plain();
    return (vectors, hashes, from, to, hits) ->
        vectors
            ? TwoWordBatch.select(words, hashes, from, to, hits, 0)
            : plain.selectTwoWords(words, hashes, from, to, hits, 0);
  }

  VectorKernel(Trial trial) {
    this.trial = trial;
  }

  // Each operation is one method: a helper with vectors as parameters or result may at some time be
  // compiled separately, and callers compiled later would allocate vectors to call it.

  @Override
  public int test(long[] words, int first, long pattern) {
    LongVector numbers = LongVector.broadcast(BLOCK, pattern).lanewise(VectorOperators.LSHR, FIRST);
    LongVector mask =
        ONE.lanewise(VectorOperators.LSHL, numbers)
            .or(
                ONE.lanewise(
                    VectorOperators.LSHL, numbers.lanewise(VectorOperators.LSHR, BITS_OF_NUMBER)));
    return LongVector.fromArray(BLOCK, words, first).and(mask).eq(mask).allTrue() ? 1 : 0;
  }

  @Override
  public boolean put(long[] words, int first, long pattern) {
    LongVector numbers = LongVector.broadcast(BLOCK, pattern).lanewise(VectorOperators.LSHR, FIRST);
    LongVector mask =
        ONE.lanewise(VectorOperators.LSHL, numbers)
            .or(
                ONE.lanewise(
                    VectorOperators.LSHL, numbers.lanewise(VectorOperators.LSHR, BITS_OF_NUMBER)));
    LongVector block = LongVector.fromArray(BLOCK, words, first);
    // An unconditional store is slower: on Java 17 the compiler then often allocates the vector.
    if (block.and(mask).eq(mask).allTrue()) {
      return false;
    }
    block.or(mask).intoArray(words, first);
    return true;
  }

  @Override
  public int selectTwoWords(long[] words, long[] hashes, int from, int to, int[] hits, int found) {
    if (!trial.won(to - from)) {
      return BlockedKernel.super.selectTwoWords(words, hashes, from, to, hits, found);
    }
    int end = to - (to - from) % Lanes.COUNT;
    int next = TwoWordBatch.select(words, hashes, from, end, hits, found);
    return BlockedKernel.super.selectTwoWords(words, hashes, end, to, hits, next);
  }
}
