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
 * Which file a name stands for at a moment: another one after each replacement. While a file is
 * open its key is not given to another; where files have no keys, time and size tell them apart.
 */
record FileIdentity(@Nullable Object key, FileTime modified, long size) {

  // Written out: what a record has by itself is linked when it is first asked, which took 3 to 20
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

  /**
   * Checks that a name still stands for this file.
   *
   * @param doing what somebody was doing with it
   * @throws FileSystemException if it does not, or for none
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
