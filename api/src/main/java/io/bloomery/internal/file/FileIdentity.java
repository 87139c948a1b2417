package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the file that a path refers to, which changes with each replacement. While a file
 * is open, its key is not reused; on file systems without keys, time and size distinguish files.
 */
record FileIdentity(@Nullable Object key, FileTime modified, long size) {

  // Explicit, because the generated methods of a record are linked on first use, which took 3 to 20
  // ms of the first opening in a JVM.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileIdentity that
        && size == that.size
        && modified.equals(that.modified)
        && Objects.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(key) + 31 * (modified.hashCode() + 31 * Long.hashCode(size));
  }

  static FileIdentity of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileIdentity(attributes.fileKey(), attributes.lastModifiedTime(), attributes.size());
  }

  /** Returns whether this is the same file, whether or not it was written to. */
  boolean isOf(FileIdentity other) {
    return size == other.size && Objects.equals(key, other.key);
  }

  /**
   * Checks that a path still refers to this file.
   *
   * @param doing the operation in progress, for the message
   * @throws FileSystemException if the path refers to another file, or to none
   */
  void check(Path file, String doing) throws IOException {
    FileIdentity now = Files.exists(file) ? of(file) : null;
    if (!equals(now)) {
      throw new FileSystemException(
          file.toString(),
          null,
          (now == null ? "was removed" : "was replaced or changed by another")
              + " while it was "
              + doing
              + "; nothing was saved, do it again");
    }
  }
}
