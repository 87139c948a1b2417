package io.bloomery.conformance.power;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** What {@link RecordedFileSystem} does with files; what it cannot record, it does not do. */
final class RecordedProvider extends FileSystemProvider {

  private final RecordedFileSystem files;
  private final FileSystemProvider real;
  private final History history;

  RecordedProvider(RecordedFileSystem files, FileSystemProvider real, History history) {
    this.files = files;
    this.real = real;
    this.history = history;
  }

  private static Path real(Path path) {
    return RecordedFileSystem.real(path);
  }

  @Override
  public String getScheme() {
    return real.getScheme();
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return files;
  }

  @Override
  public Path getPath(URI uri) {
    return files.recorded(real.getPath(uri));
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (options.contains(StandardOpenOption.APPEND)
        || options.contains(StandardOpenOption.DELETE_ON_CLOSE)) {
      throw new UnsupportedOperationException("not recorded: " + options);
    }
    synchronized (history) {
      FileChannel channel = real.newFileChannel(real(path), options, attributes);
      if (options.contains(StandardOpenOption.WRITE)) {
        history.opened(real(path), options.contains(StandardOpenOption.TRUNCATE_EXISTING));
      }
      return new RecordedChannel(channel, real(path), history, history.node(real(path)));
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    DirectoryStream<Path> stream =
        real.newDirectoryStream(real(folder), path -> filter.accept(files.recorded(path)));
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        Iterator<Path> paths = stream.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return paths.hasNext();
          }

          @Override
          public Path next() {
            return files.recorded(paths.next());
          }
        };
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    synchronized (history) {
      real.createDirectory(real(folder), attributes);
      history.folderMade(real(folder));
    }
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    synchronized (history) {
      real.createLink(real(link), real(existing));
      history.linked(real(link), real(existing));
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    synchronized (history) {
      real.delete(real(path));
      history.deleted(real(path));
    }
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    synchronized (history) {
      real.move(real(source), real(target), options);
      history.renamed(real(source), real(target));
    }
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("not recorded: " + source + " to " + target);
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    return files.recorded(real.readSymbolicLink(real(link)));
  }

  @Override
  public boolean isSameFile(Path one, Path other) throws IOException {
    return real.isSameFile(real(one), real(other));
  }

  @Override
  public boolean isHidden(Path path) throws IOException {
    return real.isHidden(real(path));
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    return real.getFileStore(real(path));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    real.checkAccess(real(path), modes);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... links) {
    return real.getFileAttributeView(real(path), type, links);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... links) throws IOException {
    return real.readAttributes(real(path), type, links);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... links)
      throws IOException {
    return real.readAttributes(real(path), names, links);
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... links)
      throws IOException {
    real.setAttribute(real(path), name, value, links);
  }
}
