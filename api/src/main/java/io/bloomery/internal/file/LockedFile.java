package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A file locked from reading to replacement: other threads and processes that lock it wait.
 *
 * <p>Before the file is replaced, it is compared with what was read: where there are no locks, or
 * if another replaces it without reading it, nothing is replaced.
 */
public final class LockedFile implements Closeable {

  private static final boolean IS_WINDOWS = System.getProperty("os.name").startsWith("Windows");

  private static final long FIRST_WAIT_MILLIS = 2;
  private static final long LONGEST_WAIT_MILLIS = 50;

  /** From when on a file that is still locked is tried more often again. */
  private static final Duration LONG = Duration.ofSeconds(2);

  private static final AtomicBoolean IS_WARNED = new AtomicBoolean();

  private final Path path;
  private final LockFile lock;
  // Open until the file is replaced: the identity of an open file is not that of another.
  private final FileInput file;
  private boolean isReplaced;
  private boolean isClosed;

  private LockedFile(Path path, LockFile lock, FileInput file) {
    this.path = path;
    this.lock = lock;
    this.file = file;
  }

  /**
   * Locks a file, after waiting until no other has it locked. If its file system has no locks, a
   * warning is logged, once.
   *
   * @throws TimeoutException if others held the lock for all of {@code patience}
   * @throws InterruptedIOException if the thread is interrupted and would have to wait
   * @throws AccessDeniedException if its folder is not writable
   * @throws IOException if it is not a regular file, or cannot be read
   */
  public static LockedFile open(Path path, Duration patience) throws IOException, TimeoutException {
    return await(
        path,
        patience,
        file -> {
          Path real = file.toRealPath();
          LockFile lock = LockFile.of(real);
          return lock.tryTake() ? Optional.of(open(real, lock)) : Optional.empty();
        });
  }

  /** An attempt to lock a file. */
  interface Attempt<T> {

    /**
     * Returns empty if it is locked by another.
     *
     * @param file existing or not, and not a link
     */
    Optional<T> lock(Path file) throws IOException;
  }

  /**
   * Locks a file, after waiting until no other has it locked.
   *
   * @throws TimeoutException if others held the lock for all of {@code patience}
   * @throws InterruptedIOException if the thread is interrupted and would have to wait
   */
  static <T> T await(Path path, Duration patience, Attempt<T> attempt)
      throws IOException, TimeoutException {
    if (Objects.requireNonNull(patience, "patience must not be null").isNegative()) {
      throw new IllegalArgumentException(
          "patience must be at least zero, but is " + patience + "; zero is not to wait");
    }
    long start = System.nanoTime();
    for (long wait = FIRST_WAIT_MILLIS; ; ) {
      Path file = FileTarget.of(path);
      Optional<T> locked = attempt.lock(file);
      if (locked.isPresent()) {
        return locked.get();
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      if (waited.compareTo(patience) >= 0) {
        throw new TimeoutException(
            path
                + " must not be changed by another process or thread, but is, for "
                + patience.toMillis() / 1e3
                + " s now, with the lock in "
                + LockFile.of(file).path().getFileName()
                + LiveControl.openState(file).map(open -> ", " + open).orElse("")
                + (Files.exists(file) ? "" : ", by one whose file was moved or removed")
                + "; try again later, or wait longer");
      }
      sleep(path, wait);
      // Who tries most often gets a lock that is always taken: not those who came last.
      wait =
          waited.compareTo(LONG) < 0
              ? Math.min(2 * wait, LONGEST_WAIT_MILLIS)
              : Math.max(wait / 2, FIRST_WAIT_MILLIS);
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

  private static LockedFile open(Path path, LockFile lock) throws IOException {
    LockedFile file = null;
    try {
      file = new LockedFile(path, lock, FileInput.regular(path));
      warnWithoutLocks(path, lock);
      return file;
    } finally {
      if (file == null) {
        lock.close();
      }
    }
  }

  static void warnWithoutLocks(Path path, LockFile lock) {
    if (!lock.isEffective() && !IS_WARNED.getAndSet(true)) {
      System.getLogger("io.bloomery.file")
          .log(
              Level.WARNING,
              "the file system of {0} has no locks: of two processes that change a file at the"
                  + " same time, one may be told so only when it saves, or not at all; let only"
                  + " one change it",
              path);
    }
  }

  /** Returns an input of the file. */
  public FileInput input() {
    return file.again();
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
    if (isClosed) {
      throw new IllegalStateException(
          "an update of "
              + path
              + " must be saved before it is closed and others may change the file; start another"
              + " one");
    }
    FileReplacement.replace(path, lock, content, this::checkMine);
    isReplaced = true;
  }

  private void checkMine() throws IOException {
    file.identity().check(path, "changed here");
    if (IS_WINDOWS) {
      // Windows does not replace an open file.
      file.close();
    }
  }

  /** Releases the lock. Closing again has no effect on a later lock. */
  @Override
  public synchronized void close() throws IOException {
    if (!isClosed) {
      isClosed = true;
      lock.close();
      file.close();
    }
  }
}
