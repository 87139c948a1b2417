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
 * The unfinished files and lock files that killed writers left in a folder, whatever their targets:
 * a target whose name contains a date would never be written again.
 *
 * <p>Only files whose writer is certainly dead are removed: regular files that were not modified
 * for a minute and whose lock is not held.
 */
final class Leftovers {
  // decisions.md#what-a-killed-saver-leaves-is-removed-if-it-is-a-minute-old-and-nobody-has-it-locked

  /** A file modified within the last minute may belong to a writer that has not locked it yet. */
  private static final long SAFE_AGE_MILLIS = 60_000;

  private Leftovers() {}

  /**
   * Removes leftovers beside an unfinished file, as far as possible.
   *
   * @param file whose modification time the age of others is relative to: on a shared disk both
   *     come from the same clock
   */
  static void removeBeside(Path file) {
    try {
      long now = Files.getLastModifiedTime(file).toMillis();
      remove(FileTarget.folder(file), Leftovers::mayBeLeftover, now);
    } catch (IOException e) {
      // As below.
    }
  }

  /**
   * Removes leftovers from a folder in which no other process writes, as far as possible and
   * whatever their age.
   */
  static void removeFrom(Path folder) {
    remove(folder, Leftovers::mayBeLeftover, Long.MAX_VALUE);
  }

  /**
   * Removes unfinished shards from a folder that is finished, as far as possible and whatever their
   * age: they may not be renamed any more, and no later save comes.
   */
  static void removeShards(Path folder) {
    remove(folder, Leftovers::isUnfinishedShard, Long.MAX_VALUE);
  }

  private static boolean isUnfinishedShard(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".shard-") && UnfinishedFile.isNameOfAnother(name);
  }

  private static void remove(Path folder, DirectoryStream.Filter<Path> which, long now) {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, which)) {
      for (Path leftover : leftovers) {
        removeIfDead(leftover, now);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Failing to list the folder is no reason not to save; its leftovers remain.
    }
  }

  /**
   * Returns whether the file is a lock file, or was created by another process. Unfinished files of
   * this process are not opened, because closing such a channel would release the lock of another
   * thread, or of another copy of this library.
   */
  private static boolean mayBeLeftover(Path file) {
    String name = String.valueOf(file.getFileName());
    return UnfinishedFile.isNameOfAnother(name) || LockFile.isName(name);
  }

  private static void removeIfDead(Path leftover, long now) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(leftover, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()
          && attributes.lastModifiedTime().toMillis() <= now - SAFE_AGE_MILLIS) {
        if (LockFile.isName(String.valueOf(leftover.getFileName()))) {
          LockFile.removeIfFree(leftover);
        } else {
          removeIfUnlocked(leftover);
        }
      }
    } catch (IOException | OverlappingFileLockException | UnsupportedOperationException e) {
      // The file is gone, belongs to another user, or cannot be checked.
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
