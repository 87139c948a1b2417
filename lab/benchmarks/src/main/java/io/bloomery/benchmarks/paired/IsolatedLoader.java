package io.bloomery.benchmarks.paired;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * A class loader that loads every class outside this package anew, so that JIT profiles and
 * compiled code of contenders are separate.
 */
final class IsolatedLoader extends URLClassLoader {

  private static final String SHARED = IsolatedLoader.class.getPackageName() + ".";
  private static final String VECTOR = "io/bloomery/vector";

  static {
    registerAsParallelCapable();
  }

  /**
   * Creates a loader of everything on the class path, or of everything except the module that uses
   * vectors.
   *
   * @param build the build whose classes it has in place of ours, if any
   */
  IsolatedLoader(boolean vectors, Optional<OtherBuild> build) {
    super(classPath(vectors, build), ClassLoader.getPlatformClassLoader());
  }

  /** Returns whether the module that uses vectors is on the class path. */
  static boolean hasVectors() {
    return classPath().anyMatch(entry -> has(entry, VECTOR));
  }

  private static Stream<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists);
  }

  private static URL[] classPath(boolean vectors, Optional<OtherBuild> build) {
    return classPath()
        .filter(entry -> vectors || !has(entry, VECTOR))
        .map(entry -> build.map(other -> other.inPlaceOf(entry)).orElse(entry))
        .map(IsolatedLoader::url)
        .toArray(URL[]::new);
  }

  private static boolean has(Path entry, String folder) {
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(folder));
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.getEntry(folder + "/") != null;
    } catch (IOException e) {
      throw new IllegalStateException("the class path must be readable: " + entry, e);
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file always has a URL: " + entry, e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return name.startsWith(SHARED) ? Class.forName(name) : super.findClass(name);
  }
}
