package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.VariantProvider;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The task of loading providers to learn their variants. It writes the name of each class before it
 * is loaded, and its variant after that.
 *
 * @param limit how long the loading of one may take
 */
record LoadVariants(List<String> classNames, Duration limit) implements ChildTask {

  @Override
  public boolean run(ClassLoader loader, ProgressFile out) {
    for (String className : classNames) {
      out.write(className);
      try {
        out.write(load(className, loader, limit, it -> String.valueOf(it.variant())));
      } catch (AssertionError e) {
        out.write(new ServiceConfigurationError(e.getMessage()));
        return false;
      }
    }
    return true;
  }

  /**
   * Creates a provider and returns what a function makes of it.
   *
   * @throws AssertionError if the code of the provider fails, or hangs
   */
  static <T> T load(
      String className, ClassLoader loader, Duration limit, Function<FilterProvider, T> use) {
    AtomicReference<T> result = new AtomicReference<>();
    Watchdog.run(limit, "loading " + className, () -> result.set(load(className, loader, use)));
    return result.get();
  }

  private static <T> T load(String className, ClassLoader loader, Function<FilterProvider, T> use) {
    try {
      Object provider =
          OtherJvm.constructor(Class.forName(className, true, loader))
              .orElseThrow(
                  () ->
                      new InconclusiveError(
                          className + " must have a constructor without parameters, but has none"))
              .newInstance();
      return use.apply(BuiltOnDemand.of((VariantProvider) provider));
    } catch (InvocationTargetException e) {
      throw failure(className, e.getCause());
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      throw failure(className, e);
    }
  }

  private static AssertionError failure(String className, Throwable thrown) {
    Throwable cause = thrown.getCause();
    return new AssertionError(
        className + ": " + thrown + (cause == null ? "" : ", since " + cause), thrown);
  }
}
