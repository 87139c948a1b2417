package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import io.bloomery.internal.file.LockedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** A filter in a file of its own, which is replaced and never changed. */
final class FilterFile {

  private FilterFile() {}

  static Filter open(Path path, Opening opening) throws IOException {
    try (FileInput in = input(path)) {
      return read(path, in, in.length(), opening);
    }
  }

  /** Reads a filter, which the input of so many bytes must end with. */
  static Filter read(Path path, InputStream in, long length, Opening opening) throws IOException {
    try {
      return EnvelopeReader.read(in, length, opening);
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    }
  }

  /** Reads the header of a filter, which the file must end with. */
  static FilterHeader header(Path path) throws IOException {
    try (FileInput in = input(path)) {
      return EnvelopeReader.header(in, in.length());
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /**
   * Locks a file to change it.
   *
   * @throws FilterLockedException if others have it locked for so long
   */
  static LockedFile lock(Path path, Duration patience) throws IOException {
    checkNoDirectory(path);
    try {
      return LockedFile.open(path, patience);
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    }
  }

  /** Starts to read a file. */
  static FileInput input(Path path) throws IOException {
    checkNoDirectory(path);
    return FileInput.of(path);
  }

  static void checkNoDirectory(Path path) throws FileSystemException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(
          path.toString(),
          null,
          ShardedFilterFiles.isSharded(path)
              ? "is a folder of shards, not a filter in one file; open it with openShards"
              : "is a directory, not a filter");
    }
  }

  /** Saves a filter: see {@link FilterFiles#save}. */
  static void save(Filter filter, Path path) throws IOException {
    FileReplacement.replace(path, out -> EnvelopeWriter.write(filter, out));
  }
}
