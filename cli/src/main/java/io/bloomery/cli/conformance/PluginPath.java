package io.bloomery.cli.conformance;

import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jars and folders with providers in addition to the installed ones. */
final class PluginPath implements AutoCloseable {

  /** The option that names these jars and folders. */
  static final String OPTION = "--path";

  private static final List<Class<? extends VariantProvider>> KINDS =
      List.of(FilterProvider.class, StaticFilterProvider.class);

  // For each name given: the path itself, and the jars in it if it is a folder.
  private final Map<Path, List<Path>> places;
  private final URLClassLoader loader;

  private PluginPath(Map<Path, List<Path>> places) {
    this.places = places;
    this.loader =
        loader(
            places.values().stream().flatMap(List::stream).toList(),
            PluginPath.class.getClassLoader());
  }

  /**
   * Returns the path of the given jars, folders of classes and folders of jars.
   *
   * @throws Failure if one of them cannot be read
   */
  static PluginPath of(List<Path> names) throws Failure {
    Map<Path, List<Path>> places = new LinkedHashMap<>();
    for (Path name : names) {
      try {
        places.put(name, places(name.toRealPath()));
      } catch (IOException e) {
        throw Failure.file(
            name.toString(),
            Failure.reason(e) + "; name a jar with a variant, or a folder of classes or jars");
      }
    }
    return new PluginPath(places);
  }

  private static List<Path> places(Path path) throws IOException {
    List<Path> places = new ArrayList<>();
    places.add(path);
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.list(path)) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(places::add);
      }
    }
    for (Path place : places) {
      if (!Files.isDirectory(place)) {
        // Opened once, since a class loader silently skips a file that is not a jar.
        new JarFile(place.toFile()).close();
      }
    }
    return places;
  }

  private static URLClassLoader loader(Collection<Path> places, ClassLoader parent) {
    return new URLClassLoader(
        places.stream().map(Path::toUri).map(PluginPath::url).toArray(URL[]::new), parent);
  }

  private static URL url(URI uri) {
    try {
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("every Java platform opens files by URL", e);
    }
  }

  /**
   * Returns the classes of the installed providers and of those on this path, without running any
   * of their code.
   *
   * @throws Failure if a place has no provider, or a class cannot be found
   */
  List<Class<? extends VariantProvider>> providers() throws Failure, IOException {
    List<Class<? extends VariantProvider>> all = all(loader);
    // The others are installed, and found as such.
    List<URI> origins =
        all.stream()
            .filter(provider -> provider.getClassLoader() == loader)
            .map(PluginPath::origin)
            .toList();
    for (Map.Entry<Path, List<Path>> place : places.entrySet()) {
      if (place.getValue().stream().map(Path::toUri).noneMatch(origins::contains)) {
        throw Failure.file(place.getKey().toString(), whyNothingIsAdded(place.getValue()));
      }
    }
    return all;
  }

  private static List<Class<? extends VariantProvider>> all(ClassLoader loader) throws Failure {
    try {
      List<Class<? extends VariantProvider>> found = new ArrayList<>();
      for (Class<? extends VariantProvider> service : KINDS) {
        ServiceLoader.load(service, loader).stream()
            .map(ServiceLoader.Provider::type)
            .forEach(found::add);
      }
      return found;
    } catch (ServiceConfigurationError | LinkageError e) {
      throw Failure.loading(e, OPTION);
    }
  }

  private static String services(Class<?> kind) {
    return "META-INF/services/" + kind.getName();
  }

  private static URI origin(Class<?> provider) {
    CodeSource source = provider.getProtectionDomain().getCodeSource();
    return URI.create(source.getLocation().toString());
  }

  private static String whyNothingIsAdded(List<Path> places) throws IOException {
    try (URLClassLoader alone = loader(places, null)) {
      return KINDS.stream().allMatch(kind -> alone.findResource(services(kind)) == null)
          ? "has no variant; name the class of its provider in "
              + KINDS.stream().map(PluginPath::services).collect(Collectors.joining(" or "))
          : "has no variant that is not installed already, so that nothing in it would be tested;"
              + " give its provider another class name";
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
