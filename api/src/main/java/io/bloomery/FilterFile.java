package io.bloomery;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A filter in a file of its own, which is replaced and never changed.
 *
 * <p>New content is written to a hidden file beside the old, {@code .NAME.PROCESS-RANDOM.tmp},
 * which then takes the old one's name in one step. So readers see the old filter or the new one,
 * also those that have the old one open; a writer that fails or is killed changes nothing; and of
 * several that save under one name at the same time, one wins.
 *
 * <p>A writer that is killed leaves its hidden file behind. Readers ignore it. The next save under
 * the same name, from another process, removes it if it is certainly dead: it is a regular file
 * that nobody has changed for a minute, and nobody holds the lock that its writer holds from the
 * start until it has the final name. A writer that stops for an hour keeps its file by the lock.
 * Where locks do not work nothing is removed; where they do not reach other machines (some network
 * file systems), the minute is all that keeps apart savers of one name on several machines, and a
 * save whose hidden file is removed fails and changes nothing.
 */
final class FilterFile {

  /** What to write. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  private FilterFile() {}

  static Filter open(Path path, Opening opening) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory, not a filter");
    }
    try (FileChannel channel = FileChannel.open(path)) {
      InputStream in = Channels.newInputStream(channel);
      // What is not a regular file, such as a pipe, has no size to compare with.
      long length = Files.isRegularFile(path) ? channel.size() : EnvelopeReader.UNKNOWN;
      return EnvelopeReader.read(in, length, opening);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /** Saves a filter: see {@link #replace}. */
  static void save(Filter filter, Path path) throws IOException {
    replace(path, out -> EnvelopeWriter.write(filter, out));
  }

  /**
   * Replaces a file as a whole: whatever happens, it holds either what it held or all of the new
   * content, which is complete on the disk before it takes the name, and has the name before this
   * returns. What content throws passes through; the file is then what it was.
   */
  static void replace(Path path, Content content) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "is a directory");
    }
    // A link stays a link: what it points to is replaced.
    Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    try (UnfinishedFile unfinished = UnfinishedFile.of(target)) {
      // First, since they may take the room that is needed now.
      unfinished.removeLeftovers();
      content.writeTo(Channels.newOutputStream(unfinished.channel()));
      unfinished.channel().force(true);
      if (Files.exists(target)) {
        keepPermissions(target, unfinished.path());
      }
      unfinished.moveToTarget();
    }
    // It is absolute, and no root, which would be a folder.
    forceFolder(Objects.requireNonNull(target.getParent()));
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
