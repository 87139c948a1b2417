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
 * A file that nobody else replaces between the reading and the replacing, if they lock it too:
 * other threads and other processes wait.
 *
 * <p>The lock is on the file itself, so that no other file is needed, or left behind. As the file
 * is replaced and never changed, whoever gets the lock looks whether the name still is that file,
 * and else begins again. What replaces the file looks once more: on file systems without locks, and
 * where a lock was lost, it finds that another was faster, and replaces nothing.
 */
public final class LockedFile implements Closeable {

  /**
   * A lock on one byte of a file.
   *
   * @param held null where there are no locks
   */
  private record Lock(@Nullable FileLock held) implements Closeable {

    /**
     * Returns null if another has it.
     *
     * @throws ClosedChannelException if the channel is closed, whose other locks are then gone
     */
    static @Nullable Lock tryTake(FileChannel channel, long at) throws ClosedChannelException {
      try {
        FileLock lock = channel.tryLock(at, 1, false);
        return lock == null ? null : new Lock(lock);
      } catch (OverlappingFileLockException e) {
        // Another copy of this library has it, as each of several web applications may have one.
        return null;
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException | NonWritableChannelException | UnsupportedOperationException e) {
        // A file system without locks, or a file that may not be written: then the comparison of
        // what is replaced with what was read is all that there is.
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

  /** Those that this JVM has locked, or tries to: opened once, as closing any channel unlocks. */
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
   * Waits until no other has it locked, and locks a file.
   *
   * @throws TimeoutException if others had it locked for all of {@code patience}
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

  /** Returns null if another has it locked, or has just replaced it. */
  private static @Nullable LockedFile tryOpen(Path path) throws IOException {
    if (!HELD.add(path)) {
      return null;
    }
    LockedFile file = null;
    FileChannel channel = null;
    try {
      FileIdentity identity = FileIdentity.of(path);
      channel = openChannel(path);
      // The same before it was opened and now that it cannot be replaced: so it is the one opened.
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

  // A lock needs a file that may be written. One that may only be read is replaced all the same,
  // if its folder may be written.
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

  /** Starts to read the file, which nobody else should do in another way while it is locked. */
  public FileInput input() {
    return FileInput.of(path, channel, identity);
  }

  /** Returns the name of the file, without links. */
  public Path path() {
    return path;
  }

  /**
   * Replaces the file, once, as {@link FileReplacement#replace} does.
   *
   * @throws IllegalStateException if it was replaced before, or is not locked any more
   * @throws FileSystemException if another has replaced, changed or removed it although it was
   *     locked: then nothing is replaced
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

  // Where locks belong to processes, whoever has read the file in this one has given the lock away.
  // Another may then be as far as this, and only one of them may look and replace.
  private void checkMine() throws IOException {
    last = Lock.tryTake(channel, UnfinishedFile.LOCK_AT - 1);
    while (last == null) {
      // Whoever has it gives a file its name, and no more.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      last = Lock.tryTake(channel, UnfinishedFile.LOCK_AT - 1);
    }
    identity.check(path, "changed here");
    if (IS_WINDOWS) {
      // Which does not replace a file that is open.
      channel.close();
    }
  }

  /** Lets others lock the file, once: whoever has locked it since is not disturbed. */
  @Override
  public synchronized void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      release(path, channel);
    }
  }
}
