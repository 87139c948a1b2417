package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs the rules like a {@link ConformanceRunner}, but checks each provider in a child JVM with the
 * class path, system properties and options of this one. No code of a provider runs in this JVM: a
 * provider can neither end it, nor keep it from ending, nor print in it. If the child ends before
 * all rules are checked, or hangs, the rule that was being checked is broken, and another child
 * checks the rules behind it. Runners are immutable.
 *
 * <p>The child creates a provider by the constructor without parameters that ServiceLoader requires
 * on the class path. It does not share the user and the files of this JVM with the provider alone:
 * a provider that searches the memory or the files of its processes in order to deceive is not
 * stopped.
 */
public final class SupervisedRunner {

  /**
   * The time beyond the longest that the child itself waits for a rule, after which it is killed.
   */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private final ConformanceRunner runner;
  private final Consumer<String> log;

  private SupervisedRunner(ConformanceRunner runner, Consumer<String> log) {
    this.runner = runner;
    this.log = log;
  }

  /** Starts children. */
  interface Children {
    ChildJvm of(Tier tier, Duration limit);
  }

  /** Returns a runner with the tier, seed and rules of another runner. */
  public static SupervisedRunner of(ConformanceRunner runner) {
    Objects.requireNonNull(runner, "runner");
    return new SupervisedRunner(runner, System.err::println);
  }

  /**
   * Sets the consumer of lines that providers print; by default they are written to standard error.
   */
  public SupervisedRunner log(Consumer<String> log) {
    return new SupervisedRunner(runner, Objects.requireNonNull(log, "log"));
  }

  /**
   * Returns the classes of the providers that ServiceLoader locates with the class loader of this
   * library and the context class loader; none of them is initialized.
   *
   * @throws ServiceConfigurationError if one of them does not exist or is no provider
   */
  public static List<Class<? extends VariantProvider>> installed() {
    Set<Class<? extends VariantProvider>> found = new LinkedHashSet<>();
    for (ClassLoader loader :
        new ClassLoader[] {
          FilterProvider.class.getClassLoader(), Thread.currentThread().getContextClassLoader()
        }) {
      for (Class<? extends VariantProvider> service :
          List.of(FilterProvider.class, StaticFilterProvider.class)) {
        ServiceLoader.load(service, loader).stream()
            .map(ServiceLoader.Provider::type)
            .forEach(found::add);
      }
    }
    return List.copyOf(found);
  }

  /**
   * Loads providers in a child JVM and returns their classes by variant, in alphabetical order.
   *
   * @throws ServiceConfigurationError if one of them cannot be loaded, ends the JVM that loads it,
   *     or hangs
   * @throws IllegalStateException if there are none, or two have the same variant
   * @throws IOException if no JVM can be started
   */
  public Map<String, Class<? extends VariantProvider>> variants(
      Collection<Class<? extends VariantProvider>> providers) throws IOException {
    if (providers.isEmpty()) {
      throw new IllegalStateException(ConformanceRunner.NO_PROVIDER);
    }
    List<String> names = providers.stream().<String>map(Class::getName).toList();
    List<Object> records = new ArrayList<>();
    String end =
        children(providers)
            .of(Tier.QUICK, Run.limit(Tier.QUICK))
            .run(new LoadVariants(names, Run.limit(Tier.QUICK)), records::add);
    if (records.isEmpty()) {
      throw new IOException("no JVM can be started to load providers: it " + end);
    }
    Object last = records.get(records.size() - 1);
    if (last instanceof ServiceConfigurationError failure) {
      throw failure;
    }
    if (last != ChildTask.Mark.DONE) {
      String culprit = names.get((records.size() - 1) / 2);
      throw new ServiceConfigurationError("the JVM that loads " + culprit + " " + end);
    }
    Map<String, Class<? extends VariantProvider>> variants = new TreeMap<>();
    int next = 1; // behind the name of the class
    for (Class<? extends VariantProvider> provider : providers) {
      String variant = (String) records.get(next);
      Class<?> same = variants.put(variant, provider);
      if (same != null) {
        throw new IllegalStateException(
            String.format(
                "each variant must have one provider, but '%s' has %s and %s; remove one of them"
                    + " from the class path",
                variant, same.getName(), provider.getName()));
      }
      next += 2;
    }
    return variants;
  }

  /**
   * Checks the rules on every {@linkplain #installed installed} provider.
   *
   * @throws ServiceConfigurationError if one cannot be loaded
   * @throws IllegalStateException if there are none, or two have the same variant
   * @throws IOException if no JVM can be started
   */
  public List<ConformanceReport> runInstalled() throws IOException {
    return variants(installed()).values().stream().map(this::run).toList();
  }

  /**
   * Checks the rules on one provider. If no JVM can be started, or the provider has no constructor
   * without parameters, the rules are reported as not run.
   */
  public ConformanceReport run(Class<? extends VariantProvider> provider) {
    Children children = children(List.of(provider));
    return runner.run(
        provider,
        runner.masterSeed(),
        parameters -> SupervisedRun.of(provider, parameters, children));
  }

  private Children children(Collection<? extends Class<?>> providers) {
    List<URL> places =
        providers.stream()
            .map(Class::getClassLoader)
            .distinct()
            .flatMap(loader -> places(loader).stream())
            .toList();
    return (tier, limit) -> new ChildJvm(places, tier, Watchdog.longest(limit).plus(GRACE), log);
  }

  private static List<URL> places(ClassLoader of) {
    List<URL> places = new ArrayList<>();
    for (ClassLoader loader = of; loader instanceof URLClassLoader; loader = loader.getParent()) {
      places.addAll(Arrays.asList(((URLClassLoader) loader).getURLs()));
    }
    return places;
  }
}
