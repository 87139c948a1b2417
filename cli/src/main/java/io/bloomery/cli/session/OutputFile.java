package io.bloomery.cli.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;

/**
 * The regular file that an output is appended to, as it is at one moment.
 *
 * @param path its name
 * @param key what distinguishes it from other files, whatever their names
 * @param size its size in bytes
 */
public record OutputFile(Path path, String key, long size) {

  /** Returns the file of a name, or none if it is no regular file or its key is not known. */
  public static Optional<OutputFile> of(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return attributes.isRegularFile() && attributes.fileKey() != null
          ? Optional.of(
              new OutputFile(path.toRealPath(), attributes.fileKey().toString(), attributes.size()))
          : Optional.empty();
    } catch (IOException e) { // such as a file that has no name any more
      return Optional.empty();
    }
  }

  /**
   * Returns how many of these bytes have been appended to the file, which ends with the last of
   * them unless all are there, or none if that cannot be known.
   */
  public Optional<Integer> appended(byte[] bytes) {
    if (of(path).filter(now -> now.key.equals(key)).isEmpty()) {
      return Optional.empty();
    }
    byte[] found;
    try (InputStream in = Files.newInputStream(path)) {
      in.skipNBytes(size);
      found = in.readNBytes(bytes.length);
    } catch (IOException e) {
      return Optional.empty();
    }
    return Arrays.equals(found, 0, found.length, bytes, 0, found.length)
        ? Optional.of(found.length)
        : Optional.empty();
  }
}
