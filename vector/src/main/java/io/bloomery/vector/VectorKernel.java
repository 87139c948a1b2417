package io.bloomery.vector;

import io.bloomery.partitioned.SplitBlockKernel;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The operations on a block, on all four words at once. */
public final class VectorKernel implements SplitBlockKernel {

  private static final VectorSpecies<Long> BLOCK = LongVector.SPECIES_256;

  private static final LongVector ONE = LongVector.broadcast(BLOCK, 1);

  private static final int BITS_OF_NUMBER = 6;

  // Where in a pattern the first number of each word begins; the second follows it.
  private static final LongVector FIRST =
      LongVector.fromArray(BLOCK, new long[] {16, 28, 40, 52}, 0);

  /**
   * For ServiceLoader.
   *
   * @throws UnsupportedOperationException if plain Java is faster in this JVM
   */
  public VectorKernel() {
    int bits = LongVector.SPECIES_PREFERRED.vectorBitSize();
    if (bits < BLOCK.vectorBitSize()) {
      throw new UnsupportedOperationException(
          "they must have " + BLOCK.vectorBitSize() + " bits, but have " + bits + " here");
    }
    // Only the optimizing compiler knows vectors; without it each of them is an object.
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("client")) {
      throw new UnsupportedOperationException(
          "this JVM must have its optimizing compiler on, but runs in " + mode);
    }
  }

  // Each operation is one method: a helper that takes or returns vectors would be compiled by
  // itself one day, and whoever is compiled after that calls it with vectors that are objects.

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
    // Storing without asking is slower: on Java 17 the compiler then often keeps the vector in an
    // object.
    if (block.and(mask).eq(mask).allTrue()) {
      return false;
    }
    block.or(mask).intoArray(words, first);
    return true;
  }
}
