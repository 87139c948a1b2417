package io.bloomery.spark;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveState;
import io.bloomery.file.ShardedFilterFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Writes files through the interface of Hadoop, each atomically. */
final class HadoopFiles {

  private static final int BUFFER = 1 << 16;

  private static final Pattern SHARD = Pattern.compile("shard-\\d{5}\\.bloom");

  private HadoopFiles() {}

  /** The content to write. */
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  static FileSystem fileSystem(Path path, Configuration configuration) throws IOException {
    FileSystem files = path.getFileSystem(configuration);
    // Without hidden checksum files, which would become stale when others replace the file.
    return files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
  }

  static void replace(String name, Configuration configuration, Content content)
      throws IOException {
    Path path = new Path(name);
    FileSystem files = fileSystem(path, configuration);
    Path target = files.makeQualified(path);
    if (files.exists(target) && files.getFileStatus(target).isDirectory()) {
      throw new FileAlreadyExistsException(
          target + " must be the name of a file, but is a folder; name a file in it");
    }
    checkUnfinished(files, target);
    checkNotOpen(target);
    Path unfinished =
        new Path(
            target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".bloomery.tmp");
    try {
      write(files, unfinished, content);
    } catch (IOException | RuntimeException e) {
      files.delete(unfinished, false);
      throw e;
    }
    try {
      rename(files, unfinished, target, configuration);
    } catch (IOException e) {
      // Not deleted: building it was expensive, and the old file may be gone.
      throw new IOException(
          unfinished + " is whole, but must be renamed to " + target + ", which failed; rename it",
          e);
    }
  }

  static void write(FileSystem files, Path path, Content content) throws IOException {
    try (FSDataOutputStream file = files.create(path, false);
        OutputStream out = new BufferedOutputStream(file, BUFFER)) {
      content.writeTo(out);
      out.flush();
      file.hsync();
    }
  }

  /** Checks that a file is not part of a folder of shards that has a manifest. */
  private static void checkUnfinished(FileSystem files, Path path) throws IOException {
    Path manifest = new Path(path.getParent(), ShardedFilterFiles.MANIFEST);
    if ((path.equals(manifest) || SHARD.matcher(path.getName()).matches())
        && files.exists(manifest)) {
      throw new FileAlreadyExistsException(
          path
              + " must not be replaced, since its folder of shards is finished by a "
              + ShardedFilterFiles.MANIFEST
              + "; write all shards again to another folder");
    }
  }

  /** Checks that a file on this machine is no live filter that is open for writing. */
  private static void checkNotOpen(Path path) throws IOException {
    if (!isLocal(path)) {
      return;
    }
    Optional<LiveState> live;
    try {
      live = FilterFiles.inspect(local(path)).live();
    } catch (IOException e) { // there is none, or another file
      return;
    }
    if (live.isPresent() && live.get().isOpen()) {
      throw new FileAlreadyExistsException(
          path
              + " must not be replaced while its writer has it open, but is "
              + live.get()
              + "; close it first, or name another file");
    }
  }

  private static boolean isLocal(Path path) {
    return "file".equals(path.toUri().getScheme());
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  /** Renames a file and replaces its target, atomically if the file system supports it. */
  static void rename(FileSystem files, Path from, Path to, Configuration configuration)
      throws IOException {
    checkUnfinished(files, to);
    if (isLocal(to)) {
      java.nio.file.Files.move(
          local(from), local(to), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
      return;
    }
    try {
      FileContext.getFileContext(to.toUri(), configuration)
          .rename(from, to, Options.Rename.OVERWRITE);
    } catch (UnsupportedFileSystemException e) {
      files.delete(to, false);
      if (!files.rename(from, to)) {
        throw new IOException(from + " cannot be renamed to " + to, e);
      }
    }
  }
}
