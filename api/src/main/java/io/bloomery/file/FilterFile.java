package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.LockedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Reading, locking and saving of a filter in a file of its own, which is replaced as a whole and
 * never modified.
 */
final class FilterFile {

  private FilterFile() {}

  static StoredFilter open(Path path, Opening opening) throws IOException {
    try (FileInput in = input(path)) {
      return read(path, in, opening);
    } catch (ContentTooLargeException e) {
      throw Files.isRegularFile(path) ? e.or("map the file") : e;
    }
  }

  /** Reads a filter from its file. */
  static StoredFilter read(Path path, FileInput in, Opening opening) throws IOException {
    try {
      return read(path, in, in.length(), opening);
    } catch (FilterFormatException e) {
      throw in.isOpenedSince() ? LiveEnvelope.orOpened(e, in).in(path) : e;
    }
  }

  /** Reads a filter from an input of {@code length} bytes, with no byte after it. */
  static StoredFilter read(Path path, InputStream in, long length, Opening opening)
      throws IOException {
    try {
      return EnvelopeReader.read(in, length, opening);
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    } catch (ContentTooLargeException e) {
      throw e.in(path);
    }
  }

  /** Reads the header of a filter in a file with no byte after the filter. */
  static FilterHeader header(Path path) throws IOException {
    checkNoDirectory(path);
    try (FileInput in = FileInput.of(path)) {
      Optional<LiveControl> control = LiveEnvelope.skip(in);
      FilterHeader header = EnvelopeReader.header(in, in.length());
      return control.isPresent() ? header.live(control.get()) : header;
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /**
   * Locks a file for an update.
   *
   * @throws FilterLockedException if it is locked by others for all of {@code patience}
   */
  static LockedFile lock(Path path, Duration patience) throws IOException {
    checkNoDirectory(path);
    try {
      return LockedFile.open(path, patience);
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    }
  }

  /**
   * Opens a file to read a filter, which is behind the control of a live file.
   *
   * @throws FilterFormatException if it is a live file that is not sealed
   */
  static FileInput input(Path path) throws IOException {
    checkNoDirectory(path);
    FileInput in = FileInput.of(path);
    boolean isOpen = false;
    try {
      Optional<LiveControl> control = LiveEnvelope.skip(in);
      LiveEnvelope.checkSealed(control, in.length());
      isOpen = true;
      return in;
    } catch (FilterFormatException e) {
      throw e.in(path);
    } finally {
      if (!isOpen) {
        in.close();
      }
    }
  }

  static void checkNoDirectory(Path path) throws FileSystemException {
    if (Files.isDirectory(Objects.requireNonNull(path, "path must not be null"))) {
      throw new FileSystemException(
          path.toString(),
          null,
          ShardedFilterFiles.isSharded(path)
              ? "is a folder of shards, not a filter in one file; open it with openShards"
              : "is a directory, not a filter; name the files in it");
    }
  }

  /** Saves a filter: see {@link FilterFiles#save}. */
  static void save(StoredFilter filter, Path path) throws IOException {
    FileReplacement.replace(path, out -> EnvelopeWriter.write(filter, out));
  }

  /** Saves a filter as a new file: see {@link FilterFiles#saveNew}. */
  static void saveNew(StoredFilter filter, Path path) throws IOException {
    FileReplacement.create(path, out -> EnvelopeWriter.write(filter, out));
  }
}
