package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.internal.check.Watchdog.StuckError;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.filter.FilterProvider;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The task of loading providers to learn their variants.
 *
 * @param limit how long the loading of one may take
 */
record LoadVariants(List<String> classNames, Duration limit) implements ChildTask {

  /** The variant of a provider. */
  record Loaded(String className, String variant) implements Serializable {}

  @Override
  public boolean run(ClassLoader loader, ProgressFile out) {
    out.write(Mark.BEGIN);
    for (String className : classNames) {
      out.write(className);
      Serializable result =
          load(
              className,
              loader,
              limit,
              provider -> new Loaded(className, String.valueOf(provider.variant())));
      out.write(result);
      if (result instanceof LoadFailure) {
        return false;
      }
    }
    return true;
  }

  /**
   * Creates a provider and returns what a function makes of it, or a {@link LoadFailure}, whatever
   * the code of the provider does.
   */
  static Serializable load(
      String className,
      ClassLoader loader,
      Duration limit,
      Function<FilterProvider, Serializable> use) {
    AtomicReference<Serializable> result = new AtomicReference<>();
    try {
      Watchdog.run(limit, "loading " + className, () -> result.set(load(className, loader, use)));
      return result.get();
    } catch (StuckError e) {
      return new LoadFailure(Status.BROKEN, e.getMessage());
    }
  }

  private static Serializable load(
      String className, ClassLoader loader, Function<FilterProvider, Serializable> use) {
    try {
      Optional<Constructor<?>> constructor =
          OtherJvm.constructor(Class.forName(className, true, loader));
      return constructor.isPresent()
          ? use.apply((FilterProvider) constructor.get().newInstance())
          : new LoadFailure(
              Status.NOT_RUN,
              className + " must have a constructor without parameters, but has none");
    } catch (InvocationTargetException e) {
      return failure(className, e.getCause());
    } catch (Throwable e) {
      return failure(className, e);
    }
  }

  private static LoadFailure failure(String className, Throwable thrown) {
    Throwable cause = thrown.getCause();
    return new LoadFailure(
        Status.BROKEN, className + ": " + thrown + (cause == null ? "" : ", since " + cause));
  }
}
