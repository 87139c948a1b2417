package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a file, which those who change it take in turn: an empty hidden file beside it,
 * {@code .NAME.bloomery.lock}, whose bytes are locked. It is there only while it is needed, or if
 * its holder was killed.
 *
 * <p>One byte is locked from reading the file to replacing it; another one, briefly, while new
 * content is renamed to its name. Whoever replaces the file without reading it locks the second
 * byte only: it waits for nobody who reads or writes, and does not come between the last check of
 * one who has read the file and its renaming.
 *
 * <p>On POSIX systems, locks belong to processes and are released when any channel of the lock file
 * is closed. So within a JVM it is opened only under a monitor that all copies of this library
 * share, and not while one of its threads has it locked, which a system property says.
 */
final class LockFile implements Closeable {
  // decisions.md#an-update-locks-a-file-beside-the-filters-and-removes-it
  // decisions.md#a-lock-file-is-opened-twice
  // decisions.md#the-threads-of-a-jvm-take-turns-by-an-interned-string-and-a-system-property
  // decisions.md#a-save-locks-a-second-byte-while-it-renames-and-waits-for-no-update

  /** A renaming that must not overlap with another one to the same name. */
  interface Renaming {

    /**
     * Gives a file its name, or does nothing and throws.
     *
     * @param others tells of the lock that others may have
     */
    void run(Others others) throws IOException;
  }

  /** Those who may have the lock while a file is renamed. */
  interface Others {

    /** Returns whether another has it, in this JVM or in another process. */
    boolean haveLock() throws IOException;
  }

  /** Something that succeeds only once others let it. */
  private interface Attempt<T> {

    /** Returns null if it has not succeeded. */
    @Nullable T run() throws IOException;
  }

  /**
   * A lock on one byte.
   *
   * @param held null if the file system has no locks
   */
  record Lock(@Nullable FileLock held) {

    /** Returns null if the lock is held by another. */
    static @Nullable Lock tryTake(FileChannel channel, long at) throws ClosedChannelException {
      try {
        FileLock lock = channel.tryLock(at, 1, false);
        return lock == null ? null : new Lock(lock);
      } catch (OverlappingFileLockException e) {
        return null;
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException | UnsupportedOperationException e) {
        return new Lock(null);
      }
    }
  }

  /**
   * The lock file, opened and locked.
   *
   * @param named the same file, opened by its name after it was locked
   * @param key what distinguishes it from another lock file with the same name, if anything does
   * @param at the byte that is locked
   */
  private record Opened(
      FileChannel channel, FileChannel named, @Nullable Object key, Lock lock, long at)
      implements Closeable {

    @Override
    public void close() throws IOException {
      try (channel) {
        named.close();
      }
    }
  }

  private static final String END = ".bloomery.lock";

  /** Beyond any content: on Windows a locked range cannot be read by others. */
  private static final long CHANGE_AT = Long.MAX_VALUE - 1;

  private static final long RENAME_AT = CHANGE_AT - 1;

  private static final Set<OpenOption> NEW =
      Set.of(
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);

  private static final Set<OpenOption> EXISTING =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final long LONGEST_RENAMING_SECONDS = 60;

  private final Path path;

  /** The property that is set while a thread of this JVM holds the lock. Interned, as a monitor. */
  private final String property;

  private @Nullable Opened taken; // null if this does not hold the lock
  private @Nullable ShutdownHook hook;

  private LockFile(Path path) {
    this.path = path;
    this.property = ("io.bloomery.locked:" + path.toUri()).intern();
  }

  /** Returns the lock of a file, existing or not, that is not a link. */
  static LockFile of(Path file) throws IOException {
    return new LockFile(HiddenName.beside(realPath(file), END));
  }

  private static Path realPath(Path file) throws IOException {
    try {
      return file.toRealPath();
    } catch (NoSuchFileException e) {
      return FileTarget.folder(file)
          .toRealPath()
          .resolve(Objects.requireNonNull(file.getFileName()));
    }
  }

  /** Returns whether a lock file may have this name. */
  static boolean isName(String name) {
    return name.startsWith(".") && name.endsWith(END);
  }

  /** Removes a lock file if nobody holds it. */
  static void removeIfFree(Path path) throws IOException {
    try (LockFile lock = new LockFile(path.toRealPath(LinkOption.NOFOLLOW_LINKS))) {
      lock.tryTake();
    }
  }

  Path path() {
    return path;
  }

  /**
   * Takes the lock until this is closed, by any thread.
   *
   * @return false if another thread or process has it
   * @throws AccessDeniedException if the folder is not writable
   */
  boolean tryTake() throws IOException {
    synchronized (property) {
      if (!tryHold()) {
        return false;
      }
      hook = ShutdownHook.of(this::close, "bloomery-lock-file");
      return true;
    }
  }

  /**
   * Takes the lock as {@link #tryTake} does, but keeps it while the JVM shuts down, up to the end
   * of the process.
   */
  boolean tryHold() throws IOException {
    synchronized (property) {
      if (System.getProperty(property) != null) {
        return false;
      }
      taken = open(CHANGE_AT);
      if (taken == null) {
        return false;
      }
      System.setProperty(property, "");
      return true;
    }
  }

  /**
   * Takes the lock as {@link #tryTake} does, after waiting until no other has it.
   *
   * @throws FileSystemException if another does not end
   */
  void take() throws IOException {
    await(() -> tryTake() ? path : null);
  }

  /** Returns whether this holds the lock. */
  boolean isTaken() {
    synchronized (property) {
      return taken != null;
    }
  }

  /** Returns whether this holds the lock, by the lock file that has its name now. */
  boolean isTakenByName() throws IOException {
    synchronized (property) {
      return taken != null && attributes(taken) != null;
    }
  }

  /** Returns whether the lock that was taken excludes other processes. */
  boolean isEffective() {
    synchronized (property) {
      return taken != null && taken.lock.held != null;
    }
  }

  /**
   * Renames, after waiting until no other does, whether or not this holds the lock.
   *
   * @throws FileSystemException if another does not end; nothing is renamed
   */
  void rename(Renaming renaming) throws IOException {
    synchronized (property) {
      Opened mine = taken;
      if (mine != null && attributes(mine) != null) {
        renameAsHolder(mine, renaming);
      } else if (mine == null && System.getProperty(property) != null) {
        // While this JVM has the lock, only its own threads read before they rename.
        renaming.run(() -> true);
      } else {
        renameAlone(renaming);
      }
    }
  }

  private void renameAsHolder(Opened mine, Renaming renaming) throws IOException {
    Lock lock = await(() -> Lock.tryTake(mine.channel, RENAME_AT));
    try {
      renaming.run(() -> false);
    } finally {
      if (lock.held != null) {
        lock.held.release();
      }
    }
  }

  private void renameAlone(Renaming renaming) throws IOException {
    Opened opened = await(() -> open(RENAME_AT));
    try {
      renaming.run(() -> isTakenByOther(opened));
    } finally {
      close(opened);
    }
  }

  private static boolean isTakenByOther(Opened opened) throws IOException {
    Lock lock = Lock.tryTake(opened.channel, CHANGE_AT);
    if (lock != null && lock.held != null) {
      lock.held.release();
    }
    return lock == null;
  }

  private <T> T await(Attempt<T> attempt) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_RENAMING_SECONDS);
    boolean interrupted = false;
    try {
      for (T got = attempt.run(); ; got = attempt.run()) {
        if (got != null) {
          return got;
        }
        if (System.nanoTime() - end >= 0) {
          throw new FileSystemException(
              path.toString(),
              null,
              "must be locked by others only while they rename a file, but was for "
                  + LONGEST_RENAMING_SECONDS
                  + " s; nothing was saved; do it again when the process that has it open has"
                  + " ended, or remove it if there is none");
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        // A thread that is interrupted would not wait.
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns null if another has it locked or has just removed it, or if it cannot be opened. */
  private @Nullable Opened open(long at) throws IOException {
    FileChannel channel = channel();
    if (channel == null) {
      return null;
    }
    Opened opened = null;
    try {
      Lock lock = Lock.tryTake(channel, at);
      opened = lock == null ? null : named(channel, lock, at);
      return opened;
    } finally {
      if (opened == null) {
        channel.close();
      }
    }
  }

  /**
   * Returns null if the lock is on a file that another has removed before it was locked, which
   * excludes nobody. While one byte of it is locked, nobody removes it.
   */
  private @Nullable Opened named(FileChannel channel, Lock lock, long at) throws IOException {
    FileChannel named = reopened();
    if (named == null) {
      return null;
    }
    Opened opened = null;
    try {
      BasicFileAttributes attributes = attributes();
      if (attributes != null && (lock.held == null || isLockedHere(named, at))) {
        opened = new Opened(channel, named, attributes.fileKey(), lock, at);
      }
      return opened;
    } finally {
      if (opened == null) {
        named.close();
      }
    }
  }

  // Java refuses to lock what this JVM has locked by another channel of the same file. It has no
  // other exact way to tell whether two channels are of one file.
  private static boolean isLockedHere(FileChannel channel, long at) {
    try {
      channel.tryLock(at, 1, false);
      return false;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private @Nullable FileChannel channel() throws IOException {
    FileAccess access = FileAccess.ofLockIn(FileTarget.folder(path));
    FileChannel created;
    try {
      created = FileChannel.open(path, NEW, FileAccess.ofNew(access));
    } catch (FileAlreadyExistsException e) {
      return existing();
    } catch (AccessDeniedException e) {
      checkFolder();
      return null;
    }
    if (access != null) {
      try {
        // Not by a link that another user has put in its place. Opens it, so before it is locked.
        access.giveTo(path, LinkOption.NOFOLLOW_LINKS);
      } catch (IOException e) {
        // Another has removed it already, or the file system has no such permissions.
      }
    }
    return created;
  }

  private @Nullable FileChannel existing() throws IOException {
    checkFolder();
    BasicFileAttributes attributes = attributes();
    if (attributes == null) {
      return null;
    }
    if (!attributes.isRegularFile()) {
      throw new FileSystemException(
          path.toString(), null, "must be a lock file, but is none; remove it");
    }
    return reopened();
  }

  private @Nullable FileChannel reopened() throws IOException {
    try {
      return FileChannel.open(path, EXISTING);
    } catch (NoSuchFileException | AccessDeniedException e) {
      // Removed; or made by another user who has not given it its permissions yet.
      return null;
    }
  }

  private void checkFolder() throws AccessDeniedException {
    Path folder = FileTarget.folder(path);
    if (!Files.isWritable(folder)) {
      throw FileTarget.notWritable(folder);
    }
  }

  /**
   * Returns the attributes of the file that has the name of this lock file, or null if none has.
   */
  private @Nullable BasicFileAttributes attributes() throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Returns the attributes of a lock file, or null if it no longer has its name. */
  private @Nullable BasicFileAttributes attributes(Opened opened) throws IOException {
    BasicFileAttributes now = attributes();
    return now != null && Objects.equals(opened.key, now.fileKey()) ? now : null;
  }

  /** Releases the lock if this holds it, and removes the lock file. */
  @Override
  public void close() {
    synchronized (property) {
      Opened mine = taken;
      if (mine != null) {
        taken = null;
        close(mine);
        System.clearProperty(property);
        if (hook != null) {
          hook.remove();
        }
      }
    }
  }

  /** Closes a lock file, after removing it unless another process has the other lock. */
  private void close(Opened opened) {
    try (opened) {
      // Another process that renames ends soon; one that has the lock removes the file itself.
      Lock other =
          opened.at == CHANGE_AT
              ? await(() -> Lock.tryTake(opened.channel, RENAME_AT))
              : Lock.tryTake(opened.channel, CHANGE_AT);
      BasicFileAttributes now = other == null ? null : attributes(opened);
      // One with content was not made here.
      if (now != null && now.size() == 0) {
        Files.delete(path);
      }
    } catch (IOException e) {
      // It stays until the file is changed again; what was saved is saved.
    }
  }
}
