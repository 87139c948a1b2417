package io.bloomery.internal;

import java.util.ServiceLoader;

/** The kernel of this JVM, located once. */
final class InstalledProbeKernel {

  // A constant, so that the compiler knows its class and can inline it.
  static final ProbeKernel KERNEL =
      Kernels.find(
              "io.bloomery",
              "standard and partitioned",
              () -> ServiceLoader.load(ProbeKernel.class, ProbeKernel.class.getClassLoader()))
          .orElse(
              (queries, words, range, stride, probes, hashes, from, to, hits) ->
                  Batches.select(queries, hashes, from, to, hits));

  private InstalledProbeKernel() {}
}
