package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The lock of a file's name, whether or not there is such a file, kept until it is closed or the
 * process ends.
 */
public final class NameLock implements Closeable {

  private final LockFile lock;

  private NameLock(LockFile lock) {
    this.lock = lock;
  }

  /**
   * Takes the lock.
   *
   * @return empty if another thread or process has it
   * @throws AccessDeniedException if the folder is not writable
   */
  public static Optional<NameLock> tryHold(Path file) throws IOException {
    LockFile lock = LockFile.of(file);
    if (!lock.tryHold()) {
      return Optional.empty();
    }
    LockedFile.warnWithoutLocks(file, lock);
    return Optional.of(new NameLock(lock));
  }

  /**
   * Returns whether this is the lock that others find, too: it is not if the folder was removed,
   * renamed or replaced, or the lock file in it.
   */
  public boolean isFound() throws IOException {
    return lock.isTakenByName();
  }

  /**
   * Removes what killed writers left in the folder, as far as possible: this lock must be one that
   * every process takes that writes there.
   */
  public void removeLeftovers() {
    Leftovers.removeFrom(FileTarget.folder(lock.path()));
  }

  /** Releases the lock. Closing again has no effect on a later lock. */
  @Override
  public void close() {
    lock.close();
  }
}
