package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The unfinished files that killed writers have left in a folder, whatever they were to become: of
 * names that hold a date, none would be written again.
 *
 * <p>Removed are those, and only those, whose writer is certainly dead: regular files that nobody
 * has changed for a minute, and whose lock nobody holds.
 */
final class Leftovers {

  /** A file that changed within a minute may belong to a writer that has not locked it yet. */
  private static final long SAFE_AGE_MILLIS = 60_000;

  private Leftovers() {}

  /**
   * Removes what is left beside an unfinished file, as far as that is possible.
   *
   * @param file by whose time others are old: on a shared disk both come from the same clock
   */
  static void removeBeside(Path file) {
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(FileTarget.folder(file), Leftovers::mayBeLeftover)) {
      long now = Files.getLastModifiedTime(file).toMillis();
      for (Path leftover : leftovers) {
        removeIfDead(leftover, now);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A folder that cannot be listed keeps its leftovers; that is no reason not to save.
    }
  }

  /**
   * Returns whether another process made it. Those of this one are not even opened: closing such a
   * channel would release the lock that another thread, or another copy of this library, holds.
   */
  private static boolean mayBeLeftover(Path file) {
    return UnfinishedFile.isNameOfAnother(String.valueOf(file.getFileName()));
  }

  private static void removeIfDead(Path leftover, long now) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(leftover, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()
          && attributes.lastModifiedTime().toMillis() <= now - SAFE_AGE_MILLIS) {
        removeIfUnlocked(leftover);
      }
    } catch (IOException | OverlappingFileLockException | UnsupportedOperationException e) {
      // It is gone, or belongs to somebody else, or nobody can tell.
    }
  }

  private static void removeIfUnlocked(Path leftover) throws IOException {
    try (FileChannel channel =
            FileChannel.open(leftover, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock(UnfinishedFile.LOCK_AT, 1, false)) {
      if (lock != null) {
        Files.deleteIfExists(leftover);
      }
    }
  }
}
