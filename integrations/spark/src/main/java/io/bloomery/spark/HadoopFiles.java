package io.bloomery.spark;

import io.bloomery.file.ShardedFilterFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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

  /** Renames a file and replaces its target, atomically if the file system supports it. */
  static void rename(FileSystem files, Path from, Path to, Configuration configuration)
      throws IOException {
    checkUnfinished(files, to);
    if ("file".equals(to.toUri().getScheme())) {
      java.nio.file.Files.move(
          java.nio.file.Path.of(from.toUri().getPath()),
          java.nio.file.Path.of(to.toUri().getPath()),
          java.nio.file.StandardCopyOption.ATOMIC_MOVE);
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
