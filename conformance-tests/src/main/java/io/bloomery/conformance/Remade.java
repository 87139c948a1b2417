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
 * How a provider is made again in another JVM.
 *
 * @param className the class of the provider
 * @param places where its class loaders look, if they are not those of the class path
 */
record Remade(String className, List<String> places) {

  /** Returns all providers at some places and on the class path, which are only loaded. */
  static Remade all(Collection<Path> places) {
    return new Remade("", places.stream().map(place -> place.toUri().toString()).toList());
  }

  /** Returns whether this is no one of them. */
  boolean isAll() {
    return className.isEmpty();
  }

  /**
   * Makes all providers.
   *
   * @throws Exception if that is not possible, for whatever reason
   */
  void makeAll() throws Exception {
    ServiceLoader.load(FilterProvider.class, loader()).forEach(FilterProvider::variant);
  }

  /**
   * Returns how a provider can be made again, or nothing if only the caller knows: neither does its
   * class have one constructor alone, without arguments, nor does ServiceLoader find it.
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
   * Makes the provider.
   *
   * @throws Exception if that is not possible, for whatever reason
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

  /** Returns the provider of a class as ServiceLoader makes it. */
  private static Optional<FilterProvider> installed(String className, ClassLoader loader) {
    try {
      List<ServiceLoader.Provider<FilterProvider>> all =
          ServiceLoader.load(FilterProvider.class, loader).stream().toList();
      return all.stream()
          .filter(one -> one.type().getName().equals(className))
          .findFirst()
          .map(ServiceLoader.Provider::get);
    } catch (ServiceConfigurationError | LinkageError e) {
      // One of the others: this one may still have its constructor.
      return Optional.empty();
    }
  }
}
