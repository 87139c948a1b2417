package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A filter in a file of its own. */
final class FilterFile {

  private FilterFile() {}

  static Filter open(Path path, Catalog catalog, ThreadMode mode) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory, not a filter");
    }
    try (FileChannel channel = FileChannel.open(path)) {
      InputStream in = Channels.newInputStream(channel);
      // What is not a regular file, such as a pipe, has no size to compare with.
      long length = Files.isRegularFile(path) ? channel.size() : EnvelopeReader.UNKNOWN;
      return EnvelopeReader.read(in, length, catalog, mode);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /**
   * Replaces a file as a whole: whatever happens, it holds either what it held or all of the
   * filter. The new content is complete on the disk before it takes the name, and the name before
   * this returns.
   */
  static void save(Filter filter, Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory");
    }
    // A link stays a link: what it points to is replaced.
    Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    Path folder = target.getParent();
    Path unfinished = folder.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      writeThrough(filter, unfinished);
      if (Files.exists(target)) {
        keepPermissions(target, unfinished);
      }
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.deleteIfExists(unfinished);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    forceFolder(folder);
  }

  private static void writeThrough(Filter filter, Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OutputStream out = Channels.newOutputStream(channel);
      EnvelopeWriter.write(filter, out);
      channel.force(true);
    }
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    if (Files.getFileStore(from).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
    }
  }

  private static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder)) {
      channel.force(true);
    } catch (IOException e) {
      // Some systems do not open folders; there the new name is as safe as they make it.
    }
  }
}
