package io.bloomery.vector;

import io.bloomery.partitioned.SplitBlockKernel;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The operations on a block, on all four words at once. */
public final class VectorKernel implements SplitBlockKernel {

  private static final VectorSpecies<Long> BLOCK = LongVector.SPECIES_256;

  private static final LongVector ONE = LongVector.broadcast(BLOCK, 1);

  // Where in a pattern the numbers of a word's two bits begin.
  private static final LongVector LOW = LongVector.fromArray(BLOCK, new long[] {16, 28, 40, 52}, 0);
  private static final LongVector HIGH = LOW.add(6);

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

  @Override
  public int test(long[] words, int first, long pattern) {
    return has(LongVector.fromArray(BLOCK, words, first), mask(pattern)) ? 1 : 0;
  }

  @Override
  public boolean put(long[] words, int first, long pattern) {
    LongVector block = LongVector.fromArray(BLOCK, words, first);
    LongVector mask = mask(pattern);
    // Storing without asking is slower: on Java 17 the compiler then often keeps the vector in an
    // object.
    if (has(block, mask)) {
      return false;
    }
    block.or(mask).intoArray(words, first);
    return true;
  }

  private static LongVector mask(long pattern) {
    LongVector all = LongVector.broadcast(BLOCK, pattern);
    return bit(all.lanewise(VectorOperators.LSHR, LOW))
        .or(bit(all.lanewise(VectorOperators.LSHR, HIGH)));
  }

  /** Returns in each lane the one bit that the low 6 bits of a number name. */
  private static LongVector bit(LongVector numbers) {
    return ONE.lanewise(VectorOperators.LSHL, numbers);
  }

  private static boolean has(LongVector block, LongVector mask) {
    return block.and(mask).eq(mask).allTrue();
  }
}
