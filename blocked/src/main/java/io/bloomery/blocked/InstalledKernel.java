package io.bloomery.blocked;

import java.lang.System.Logger.Level;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** The kernel of this JVM, located once. */
final class InstalledKernel {

  // A constant, so that the compiler knows its class and can inline it.
  static final BlockedKernel KERNEL = find();

  private InstalledKernel() {}

  // Any failure of a kernel provider falls back to plain Java: filters are slower, but work.
  private static BlockedKernel find() {
    try {
      return ServiceLoader.load(BlockedKernel.class, BlockedKernel.class.getClassLoader())
          .findFirst()
          .orElseGet(BlockedKernel::plain);
    } catch (ServiceConfigurationError | LinkageError e) {
      System.getLogger("io.bloomery.blocked")
          .log(Level.INFO, "blocked filters run without vectors: " + reason(e));
      return BlockedKernel.plain();
    }
  }

  // Depending on the version of Java, a class that is missing is the error or its cause.
  private static String reason(Error error) {
    Throwable inner = error.getCause();
    Throwable cause = error instanceof ServiceConfigurationError && inner != null ? inner : error;
    return cause instanceof NoClassDefFoundError
        ? "bloomery-vector needs the option --add-modules jdk.incubator.vector (" + cause + ")"
        : String.valueOf(cause.getMessage());
  }
}
