package io.bloomery.internal;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Faster implementations of single operations, located once by their callers. */
public final class Kernels {

  private Kernels() {}

  /**
   * Returns the first provider. Any failure falls back to plain Java: filters are slower, but work.
   *
   * @param module the name of the logger
   * @param filters which filters use it, for the log
   */
  public static <K> Optional<K> find(
      String module, String filters, Supplier<ServiceLoader<K>> providers) {
    try {
      return providers.get().findFirst();
    } catch (ServiceConfigurationError | LinkageError e) {
      System.getLogger(module)
          .log(Level.INFO, filters + " filters run without vectors: " + reason(e));
      return Optional.empty();
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
