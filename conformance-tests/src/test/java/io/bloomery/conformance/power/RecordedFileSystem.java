package io.bloomery.conformance.power;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;

/**
 * The default file system, with a history of what its paths are used for to change a folder.
 *
 * <p>The library compares a file system with the default one at two places: to find the number of a
 * disk, without which it forces a folder before each save and not only before the first one, and to
 * remove a file at the end of the JVM.
 */
final class RecordedFileSystem extends FileSystem {

  /** A path of this file system, for which {@link Proxy} has all methods of {@link Path}. */
  private interface Recorded {
    Path recorded();
  }

  private final FileSystem real;
  private final RecordedProvider provider;

  private RecordedFileSystem(History history) {
    this.real = history.folder().getFileSystem();
    this.provider = new RecordedProvider(this, real.provider(), history);
  }

  /**
   * Returns a path of a folder by which it is used, to record what happens in it. Nothing is forced
   * to the disk by it.
   */
  static Path path(History history) {
    return new RecordedFileSystem(history).recorded(history.folder());
  }

  /** Returns the path of the default file system for one of this. */
  static Path real(Path path) {
    return path instanceof Recorded own ? own.recorded() : path;
  }

  Path recorded(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            Recorded.class.getClassLoader(),
            new Class<?>[] {Path.class, Recorded.class},
            (self, method, arguments) -> call(path, method, arguments));
  }

  private Object call(Path path, Method method, Object[] arguments) throws Throwable {
    if (method.getDeclaringClass() == Recorded.class) {
      return path;
    }
    if (method.getName().equals("getFileSystem")) {
      return this;
    }
    Object[] reals = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < reals.length; i++) {
      reals[i] = reals[i] instanceof Path argument ? real(argument) : reals[i];
    }
    try {
      Object result = method.invoke(path, reals);
      return result instanceof Path other ? recorded(other) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() throws IOException {
    real.close();
  }

  @Override
  public boolean isOpen() {
    return real.isOpen();
  }

  @Override
  public boolean isReadOnly() {
    return real.isReadOnly();
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return real.getRootDirectories();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return recorded(real.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher matcher = real.getPathMatcher(pattern);
    return path -> matcher.matches(real(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() throws IOException {
    return real.newWatchService();
  }
}
