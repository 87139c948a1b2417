package io.bloomery.internal;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A service with the queries of batches in blocks of two words, with a pair of bits in each;
 * located as a {@link ProbeKernel} is.
 */
public interface PairKernel {

  /**
   * Selects the hashes that might be contained in a table: hash h has the word f, the product of
   * its low 32 bits and the number of words, divided by 2^32, and the word f ^ 1. With n = h >>>
   * 59, it has the bits 0 and n + 1 in both, rotated to the left by h >>> 32 in word f, by h >>> 38
   * in the other.
   *
   * @param queries the same in plain Java
   * @param words an even number
   * @param hits receives the indices of these hashes, in ascending order; has room for the whole
   *     range from index {@code found} on, and elements after the last one may change too
   * @param found the index in {@code hits} of the first
   * @return the index after the last
   */
  int select(
      Batches.Each queries, long[] words, long[] hashes, int from, int to, int[] hits, int found);

  /** Locates the kernel to be used by the filters of this JVM. */
  static Optional<PairKernel> installed() {
    return Kernels.find(
        "io.bloomery",
        "counting",
        () -> ServiceLoader.load(PairKernel.class, PairKernel.class.getClassLoader()));
  }
}
