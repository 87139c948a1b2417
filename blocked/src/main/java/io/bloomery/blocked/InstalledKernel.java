package io.bloomery.blocked;

import io.bloomery.internal.Kernels;
import java.util.ServiceLoader;

/** The kernel of this JVM, located once. */
final class InstalledKernel {

  // A constant, so that the compiler knows its class and can inline it.
  static final BlockedKernel KERNEL =
      Kernels.find(
              "io.bloomery.blocked",
              "blocked",
              () -> ServiceLoader.load(BlockedKernel.class, BlockedKernel.class.getClassLoader()))
          .orElseGet(BlockedKernel::plain);

  private InstalledKernel() {}
}
