package io.bloomery.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** What tells one file from another that took its place. */
record FileStamp(long size, @Nullable FileTime modified, @Nullable Object fileKey) {

  /** Returns the stamp of a file as it is now, which is that of nothing if it cannot be had. */
  static FileStamp of(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(now.size(), now.lastModifiedTime(), now.fileKey());
    } catch (IOException e) {
      return new FileStamp(-1, null, null);
    }
  }
}
