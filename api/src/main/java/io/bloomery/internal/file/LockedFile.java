package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A file locked from reading to replacement: other threads and processes that lock it wait.
 *
 * <p>The lock is on the file itself, so that no lock file is needed, or left behind. Because the
 * file is replaced and never modified, the thread that acquires the lock checks that the path still
 * refers to the file, and retries otherwise. Before replacing the file it checks again: on file
 * systems without locks, or if a lock was lost, it detects that the file was replaced by another,
 * and replaces nothing.
 */
public final class LockedFile implements Closeable {

  /**
   * A lock on one byte of a file.
   *
   * @param held null if the file cannot be locked
   */
  private record Lock(@Nullable FileLock held) implements Closeable {

    /**
     * Returns null if the lock is held by another.
     *
     * @throws ClosedChannelException if the channel is closed, which has released its other locks
     */
    static @Nullable Lock tryTake(FileChannel channel, long at) throws ClosedChannelException {
      try {
        FileLock lock = channel.tryLock(at, 1, false);
        return lock == null ? null : new Lock(lock);
      } catch (OverlappingFileLockException e) {
        // The lock is held by another copy of this library: each of several web applications may
        // have one.
        return null;
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException | NonWritableChannelException | UnsupportedOperationException e) {
        // The file system does not support locks, or the file may not be written: then the
        // comparison before the replacement is the only protection.
        return new Lock(null);
      }
    }

    @Override
    public void close() throws IOException {
      if (held != null && held.acquiredBy().isOpen()) {
        held.release();
      }
    }
  }

  /**
   * The files that this JVM has locked or is locking: each is opened only once, because closing any
   * channel of a file releases its lock.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final boolean IS_WINDOWS = System.getProperty("os.name").startsWith("Windows");

  private static final long FIRST_WAIT_MILLIS = 2;
  private static final long LONGEST_WAIT_MILLIS = 50;

  private final Path path;
  private final FileChannel channel;
  private final FileIdentity identity;
  private @Nullable Lock last; // held while the file is replaced
  private boolean isReplaced;
  private boolean isClosed;

  private LockedFile(Path path, FileChannel channel, FileIdentity identity) {
    this.path = path;
    this.channel = channel;
    this.identity = identity;
  }

  /**
   * Locks a file, after waiting until no other has it locked.
   *
   * @throws TimeoutException if others held the lock for all of {@code patience}
   * @throws InterruptedIOException if the thread is interrupted and would have to wait
   * @throws IOException if it is not a regular file, or cannot be read
   */
  public static LockedFile open(Path path, Duration patience) throws IOException, TimeoutException {
    long start = System.nanoTime();
    for (long wait = FIRST_WAIT_MILLIS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS)) {
      LockedFile file = tryOpen(FileTarget.of(path).toRealPath());
      if (file != null) {
        return file;
      }
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(patience) >= 0) {
        throw new TimeoutException(
            path
                + " must not be changed by another process or thread, but is, for "
                + patience.toMillis() / 1e3
                + " s now; try again later, or wait longer");
      }
      sleep(path, wait);
    }
  }

  private static void sleep(Path path, long millis) throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(path + ": interrupted while another was changing it");
    }
  }

  /** Returns null if another has locked the file, or has just replaced it. */
  private static @Nullable LockedFile tryOpen(Path path) throws IOException {
    if (!HELD.add(path)) {
      return null;
    }
    LockedFile file = null;
    FileChannel channel = null;
    try {
      FileIdentity identity = FileIdentity.of(path);
      channel = openChannel(path);
      // The path refers to the same file before it was opened and after it was locked, so that is
      // the file opened.
      Lock lock = Lock.tryTake(channel, UnfinishedFile.LOCK_AT);
      if (lock != null && identity.equals(FileIdentity.of(path))) {
        file = new LockedFile(path, channel, identity);
      }
      return file;
    } finally {
      if (file == null) {
        release(path, channel);
      }
    }
  }

  // Locking requires write access. A file that is only readable is replaced nevertheless, if its
  // folder is writable.
  private static FileChannel openChannel(Path path) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (AccessDeniedException e) {
      return FileChannel.open(path, StandardOpenOption.READ);
    }
  }

  private static void release(Path path, @Nullable FileChannel channel) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      HELD.remove(path);
    }
  }

  /** Returns an input of the file, which must not be read in any other way while it is locked. */
  public FileInput input() {
    return FileInput.of(path, channel, identity);
  }

  /** Returns the path of the file, with links resolved. */
  public Path path() {
    return path;
  }

  /**
   * Replaces the file, once, as {@link FileReplacement#replace} does.
   *
   * @throws IllegalStateException if it was already replaced, or is no longer locked
   * @throws FileSystemException if another has replaced, changed or removed it despite the lock;
   *     nothing is replaced
   */
  public synchronized void replace(FileReplacement.Content content) throws IOException {
    if (isReplaced) {
      throw new IllegalStateException(
          "an update of " + path + " must be saved once, but was before; start another one");
    }
    if (!channel.isOpen()) {
      throw new IllegalStateException(
          "an update of "
              + path
              + " must be saved before it is closed and others may change the file; start another"
              + " one");
    }
    try {
      FileReplacement.replace(path, content, this::checkMine);
      isReplaced = true;
    } finally {
      if (last != null) {
        last.close();
      }
    }
  }

  // If locks belong to processes, reading the file elsewhere in this process has released the lock.
  // Another may then be at this point as well, and only one of them may check and replace.
  private void checkMine() throws IOException {
    last = Lock.tryTake(channel, UnfinishedFile.LOCK_AT - 1);
    while (last == null) {
      // Its holder only renames a file, which is brief.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      last = Lock.tryTake(channel, UnfinishedFile.LOCK_AT - 1);
    }
    identity.check(path, "changed here");
    if (IS_WINDOWS) {
      // Windows does not replace an open file.
      channel.close();
    }
  }

  /** Releases the lock. Closing again has no effect on a later lock. */
  @Override
  public synchronized void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      release(path, channel);
    }
  }
}
