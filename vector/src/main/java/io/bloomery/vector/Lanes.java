package io.bloomery.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Eight hashes in the lanes of a vector. */
final class Lanes {

  static final VectorSpecies<Long> HASHES = LongVector.SPECIES_512;

  /** The number of hashes in a vector. */
  static final int COUNT = HASHES.length();

  /** Vectors of as many indices. */
  static final VectorSpecies<Integer> INDICES = IntVector.SPECIES_256;

  private static final int LEAST_BITS = 256;

  private static final int SETS = 1 << COUNT;

  /**
   * For each set of lanes, as bits of a number, their numbers in ascending order. A table, because
   * Java 17 has no compress, and this code is compiled for it.
   */
  static final int[] ORDER = new int[SETS * COUNT];

  private Lanes() {}

  static {
    for (int set = 0; set < SETS; set++) {
      int next = set * COUNT;
      for (int lane = 0; lane < COUNT; lane++) {
        if ((set >>> lane & 1) != 0) {
          ORDER[next++] = lane;
        }
      }
    }
  }

  /**
   * Returns a factor below 2^32 in all lanes. The mask lets Java 25 see that, and multiply it by
   * what is masked too, or shifted so far, in a third of the time.
   */
  static LongVector factor(long factor) {
    return LongVector.broadcast(HASHES, factor).and(0xFFFF_FFFFL);
  }

  /** Returns for each set of lanes what moves them to the first ones. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // of an array of a generic type
  static VectorShuffle<Integer>[] shuffles() {
    VectorShuffle<Integer>[] shuffles = new VectorShuffle[SETS];
    for (int set = 0; set < SETS; set++) {
      shuffles[set] = VectorShuffle.fromArray(INDICES, ORDER, set * COUNT);
    }
    return shuffles;
  }

  /**
   * Checks that this JVM compiles vectors of 256 bits.
   *
   * @throws UnsupportedOperationException if not, or if the system property {@code
   *     bloomery.vectors} is {@code false}
   */
  static void require() {
    if ("false".equals(System.getProperty("bloomery.vectors"))) {
      throw new UnsupportedOperationException("the system property bloomery.vectors is false");
    }
    int here = LongVector.SPECIES_PREFERRED.vectorBitSize();
    if (here < LEAST_BITS) {
      throw new UnsupportedOperationException(
          "they must have " + LEAST_BITS + " bits, but have " + here + " here");
    }
    // Only the optimizing compiler has intrinsics for vectors; otherwise each of them is an object.
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("client")) {
      throw new UnsupportedOperationException(
          "this JVM must have its optimizing compiler on, but runs in " + mode);
    }
  }
}
