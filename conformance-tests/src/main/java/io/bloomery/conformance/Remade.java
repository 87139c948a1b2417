package io.bloomery.conformance;

import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.filter.FilterProvider;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * How to create a provider in another JVM.
 *
 * @param className the class of the provider
 * @param places the locations that its class loaders search, if not the class path
 */
record Remade(String className, List<String> places) {

  /** Returns an instance for loading all providers in some locations and on the class path. */
  static Remade all(Collection<Path> places) {
    return new Remade("", places.stream().map(place -> place.toUri().toString()).toList());
  }

  /** Returns whether this is for loading all providers instead of creating one. */
  boolean isAll() {
    return className.isEmpty();
  }

  /**
   * Creates all providers.
   *
   * @throws Exception if that fails for any reason
   */
  void makeAll() throws Exception {
    ServiceLoader.load(FilterProvider.class, loader()).forEach(FilterProvider::variant);
  }

  /**
   * Returns how to create a provider again, or empty if only the caller can: its class has other
   * constructors than a single one without arguments, and ServiceLoader does not locate it.
   */
  static Optional<Remade> of(FilterProvider provider) {
    Class<?> code = provider.getClass();
    Remade remade = new Remade(code.getName(), places(code.getClassLoader()));
    boolean isAsMade =
        code.getDeclaredConstructors().length == 1 && OtherJvm.constructor(code).isPresent();
    return isAsMade || installed(code.getName(), code.getClassLoader()).isPresent()
        ? Optional.of(remade)
        : Optional.empty();
  }

  private static List<String> places(ClassLoader of) {
    List<String> places = new ArrayList<>();
    for (ClassLoader loader = of; loader instanceof URLClassLoader; loader = loader.getParent()) {
      Arrays.stream(((URLClassLoader) loader).getURLs()).map(URL::toString).forEach(places::add);
    }
    return places;
  }

  /**
   * Creates the provider.
   *
   * @throws Exception if that fails for any reason
   */
  FilterProvider make() throws Exception {
    ClassLoader loader = loader();
    Optional<FilterProvider> installed = installed(className, loader);
    if (installed.isPresent()) {
      return installed.get();
    }
    Constructor<?> constructor =
        OtherJvm.constructor(Class.forName(className, true, loader)).orElseThrow();
    return (FilterProvider) constructor.newInstance();
  }

  private ClassLoader loader() throws MalformedURLException {
    ClassLoader own = Remade.class.getClassLoader();
    if (places.isEmpty()) {
      return own;
    }
    URL[] urls = new URL[places.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = new URL(places.get(i));
    }
    return new URLClassLoader(urls, own);
  }

  /** Returns the provider of a class as located by ServiceLoader. */
  private static Optional<FilterProvider> installed(String className, ClassLoader loader) {
    try {
      List<ServiceLoader.Provider<FilterProvider>> all =
          ServiceLoader.load(FilterProvider.class, loader).stream().toList();
      return all.stream()
          .filter(one -> one.type().getName().equals(className))
          .findFirst()
          .map(ServiceLoader.Provider::get);
    } catch (ServiceConfigurationError | LinkageError e) {
      // Another provider failed to load: this one may still have its constructor.
      return Optional.empty();
    }
  }
}
