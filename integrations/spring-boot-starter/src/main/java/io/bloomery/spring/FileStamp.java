package io.bloomery.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** The attributes that distinguish a file from one that replaces it. */
record FileStamp(long size, @Nullable FileTime modified, @Nullable Object fileKey) {

  /** Returns the current stamp of a file, or a fixed one if it cannot be read. */
  static FileStamp of(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(now.size(), now.lastModifiedTime(), now.fileKey());
    } catch (IOException e) {
      return new FileStamp(-1, null, null);
    }
  }
}
