package io.bloomery;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * What is to become a file, under a name that nobody else uses, locked while its writer lives: a
 * hidden file {@code .NAME.PROCESS-RANDOM.tmp} in the same folder.
 *
 * <p>A writer that is killed leaves it behind, without the lock. {@link #removeLeftovers} takes
 * away those, and only those, whose writer is certainly dead.
 */
final class UnfinishedFile implements Closeable {

  /** A file that changed within a minute may belong to a writer that has not locked it yet. */
  static final long SAFE_AGE_MILLIS = 60_000;

  // One byte where no content is: on Windows others cannot read what is locked.
  private static final long LOCK_AT = Long.MAX_VALUE - 1;

  private static final int ATTEMPTS = 3;

  // A number alone may come again, in a container even at each start.
  private static final String PROCESS =
      Long.toHexString(ProcessHandle.current().pid())
          + "-"
          + Long.toHexString(
              ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L));

  private static final Pattern ENDING = Pattern.compile("[0-9a-f]+-[0-9a-f]+-[0-9a-f]{16}\\.tmp");

  private final Path target;
  private final Path path;
  private final FileChannel channel;
  private boolean moved;

  private UnfinishedFile(Path target, Path path, FileChannel channel) {
    this.target = target;
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes an empty file beside its target.
   *
   * @param target an absolute path
   */
  static UnfinishedFile of(Path target) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
      Path path = target.resolveSibling(prefix(target) + PROCESS + "-" + random + ".tmp");
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      UnfinishedFile file = new UnfinishedFile(target, path, channel);
      file.lock();
      // Whoever removes a file holds its lock, so what exists once it is locked stays.
      if (Files.exists(path)) {
        return file;
      }
      file.close();
    }
    throw new FileSystemException(
        target.toString(), null, "files beside it are removed as soon as they are made");
  }

  private static String prefix(Path target) {
    return "." + target.getFileName() + ".";
  }

  private void lock() {
    try {
      channel.lock(LOCK_AT, 1, false);
    } catch (IOException | UnsupportedOperationException e) {
      // Where there are no locks nobody gets one, and whoever gets none removes nothing.
    }
  }

  Path path() {
    return path;
  }

  FileChannel channel() {
    return channel;
  }

  /** Takes the target's name, in one step. */
  void moveToTarget() throws IOException {
    // Still open and locked, so that until it has the name nobody takes it for a leftover.
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
    moved = true;
  }

  /**
   * Removes what killed writers of the same target have left behind, as far as that is possible.
   */
  void removeLeftovers() {
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(path.getParent(), this::mayBeLeftover)) {
      // Its own time, not this machine's: on a shared disk both come from the same clock.
      long now = Files.getLastModifiedTime(path).toMillis();
      for (Path leftover : leftovers) {
        removeIfDead(leftover, now);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A folder that cannot be listed keeps its leftovers; that is no reason not to save.
    }
  }

  /**
   * Returns whether another process made a file for the same target. Those of this one are not even
   * opened: closing such a channel would release the lock that another thread, or another copy of
   * this library, holds.
   */
  private boolean mayBeLeftover(Path other) {
    String name = other.getFileName().toString();
    String prefix = prefix(target);
    return name.startsWith(prefix)
        && !name.startsWith(prefix + PROCESS)
        && ENDING.matcher(name.substring(prefix.length())).matches();
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
        FileLock lock = channel.tryLock(LOCK_AT, 1, false)) {
      if (lock != null) {
        Files.deleteIfExists(leftover);
      }
    }
  }

  /** Removes the file unless it has taken the target's name. */
  @Override
  public void close() throws IOException {
    if (moved) {
      closeWhatIsSaved();
      return;
    }
    try {
      Files.deleteIfExists(path);
    } finally {
      channel.close();
    }
  }

  private void closeWhatIsSaved() {
    try {
      channel.close();
    } catch (IOException e) {
      // All of it is on the disk and has its name: the file is not what it was.
    }
  }
}
