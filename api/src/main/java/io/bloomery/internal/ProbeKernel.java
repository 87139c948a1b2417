package io.bloomery.internal;

import java.util.ServiceLoader;

/**
 * A service with the queries of batches, by {@link WordProbes}, on a table in an array. Located by
 * {@link ServiceLoader}, with the class loader of this interface; a provider that cannot be loaded,
 * or whose constructor throws, is ignored, and the reason is logged.
 */
@FunctionalInterface
public interface ProbeKernel {

  /**
   * Queries a range of hashes as {@link Batches#select} does, which it may call.
   *
   * @param queries the same in plain Java
   * @param range the number of words that each probe selects one of
   * @param stride the number of words between the ranges of successive probes
   * @param hits has room for the whole range; elements after the last result may change too
   */
  int select(
      Batches.Queries queries,
      long[] words,
      long range,
      int stride,
      int probes,
      long[] hashes,
      int from,
      int to,
      int[] hits);

  /** Locates the kernel to be used by the filters of this JVM. */
  static ProbeKernel installed() {
    return Kernels.find(
            "io.bloomery",
            "standard and partitioned",
            () -> ServiceLoader.load(ProbeKernel.class, ProbeKernel.class.getClassLoader()))
        .orElse(
            (queries, words, range, stride, probes, hashes, from, to, hits) ->
                Batches.select(queries, hashes, from, to, hits));
  }
}
