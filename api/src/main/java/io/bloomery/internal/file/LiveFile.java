package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a live file: it has the file's lock until it is closed or its process ends, and
 * tells in the file whether it is open.
 *
 * <p>No channel stays open, since an interrupt would close it. So whoever writes keeps a mapping of
 * the file, whose key is then not given to another.
 */
public final class LiveFile implements Closeable {

  /** Work on the open file, which is repeated from its start after an interrupt. */
  public interface Work<T> {

    /** Performs the work. */
    T run(FileChannel channel) throws IOException;
  }

  /** The opening of a file. */
  public interface Opening<T> {

    /**
     * Opens the file.
     *
     * @throws NoSuchFileException if there is none
     */
    T open() throws IOException;
  }

  // Ten seconds, for what takes another one a few milliseconds.
  private static final int TRIES = 10_000;
  private static final long PAUSE_NANOS = 1_000_000;

  private final Path path;
  private final LockFile lock;
  private final FileIdentity identity;
  private final OpenHere openHere;
  private LiveControl control;
  private boolean isClosed;

  private LiveFile(
      Path path, LockFile lock, FileIdentity identity, OpenHere openHere, LiveControl control) {
    this.path = path;
    this.lock = lock;
    this.identity = identity;
    this.openHere = openHere;
    this.control = control;
  }

  /**
   * Opens a file, or makes it if there is none, as several processes may at the same time.
   *
   * @param empty the content of a new file, asked for only if there is none
   * @throws TimeoutException if there is none, but others held its lock for all of {@code
   *     patience}, as they do whose file was moved or removed
   */
  public static <T> T openOrCreate(
      Path path, Duration patience, Opening<T> opening, Supplier<FileReplacement.Content> empty)
      throws IOException, TimeoutException {
    while (true) {
      try {
        return opening.open();
      } catch (NoSuchFileException e) {
        FileReplacement.Content content = empty.get();
        LockedFile.await(
            path,
            patience,
            file -> isLeft(file) ? Optional.empty() : Optional.of(create(path, content)));
      }
    }
  }

  /** Returns whether there is no such file, but somebody who writes to it. */
  private static boolean isLeft(Path file) throws IOException {
    boolean[] isLocked = {false};
    LockFile.of(file).rename(others -> isLocked[0] = others.haveLock());
    return isLocked[0] && Files.notExists(file);
  }

  private static boolean create(Path path, FileReplacement.Content empty) throws IOException {
    try {
      FileReplacement.create(path, empty);
    } catch (FileAlreadyExistsException e) {
      if (!Files.exists(path)) { // but a finished folder of shards that it would belong to
        throw e;
      }
    }
    return true;
  }

  /**
   * Locks a live file, after waiting until no other has it locked, and reads its control. The file
   * is not changed.
   *
   * @throws TimeoutException if others held the lock for all of {@code patience}; the message has
   *     the process that has it open
   * @throws InterruptedIOException if the thread is interrupted and would have to wait
   * @throws AccessDeniedException if its folder is not writable
   * @throws LiveControl.Malformed if it is no live file
   * @throws IOException if it is not a regular file, or cannot be read
   */
  public static LiveFile lock(Path path, Duration patience) throws IOException, TimeoutException {
    return LockedFile.await(
        path,
        patience,
        file -> {
          Path real = file.toRealPath();
          LockFile lock = LockFile.of(real);
          return lock.tryHold() ? Optional.of(of(real, lock)) : Optional.empty();
        });
  }

  private static LiveFile of(Path path, LockFile lock) throws IOException {
    LiveFile file = null;
    OpenHere openHere = null;
    try {
      FileIdentity identity = FileIdentity.of(path);
      openHere = OpenHere.note(path, identity);
      LiveControl control = Uninterrupted.run(() -> control(path));
      OtherWriter.check(path, control.state());
      file = new LiveFile(path, lock, identity, openHere, control);
      LockedFile.warnWithoutLocks(path, lock);
      return file;
    } finally {
      if (file == null) {
        release(openHere, lock);
      }
    }
  }

  private static void release(@Nullable OpenHere openHere, LockFile lock) {
    if (openHere != null) {
      openHere.close();
    }
    lock.close();
  }

  private static LiveControl control(Path path) throws IOException {
    try (FileChannel channel = FileInput.channel(path)) {
      return LiveControl.read(channel);
    }
  }

  /** Returns the path of the file, with links resolved. */
  public Path path() {
    return path;
  }

  /** Returns the control as it was read or written last. */
  public LiveControl control() {
    return control;
  }

  /**
   * Opens the file for work.
   *
   * @throws FileSystemException if another file has its name now
   */
  public <T> T run(Work<T> work) throws IOException {
    return Uninterrupted.run(
        () -> {
          checkMine(); // first, since its reason says more than that of the system
          try (FileChannel channel =
              FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            checkMine();
            return work.run(channel);
          }
        });
  }

  /**
   * Checks that the name of the file still refers to it.
   *
   * @throws FileSystemException if it refers to another file, or to none
   */
  public void checkMine() throws IOException {
    FileIdentity now;
    try {
      now = FileIdentity.of(path);
    } catch (NoSuchFileException e) {
      throw replaced("removed or moved");
    }
    if (!identity.isOf(now)) {
      throw replaced("replaced or changed in length by another");
    }
  }

  private FileSystemException replaced(String what) {
    return new FileSystemException(
        path.toString(),
        null,
        "was "
            + what
            + " while it was open for writing; what was put since then is in no file that has this"
            + " name: use the file under its new name, or put it again");
  }

  /**
   * Tells in the file that it is open, durably: only then its content may be changed.
   *
   * @throws FileSystemException if another process has opened it by another name meanwhile
   */
  public void open() throws IOException {
    LiveControl.State opened = control.state().opened();
    lock.rename(others -> write(opened, true));
    openHere.opened(opened);
  }

  /** Tells in the file that it is sealed, durably: its content must be on the disk. */
  public void seal() throws IOException {
    openHere.closing();
    LiveControl.State sealed = control.state().sealed();
    lock.rename(others -> write(sealed, false));
  }

  private void write(LiveControl.State state, boolean opens) throws IOException {
    run(
        channel -> {
          if (opens) {
            writeFirst(state, channel);
          } else {
            LiveControl.write(state, channel);
          }
          return true;
        });
    control = new LiveControl(control.kind(), control.contentSize(), state);
  }

  // Writers by other names have other locks: of those that found the file sealed, one writes first.
  private void writeFirst(LiveControl.State state, FileChannel channel) throws IOException {
    awaitLock(channel); // which ends when the channel is closed
    LiveControl.State now = LiveControl.read(channel).state();
    if (!now.equals(control.state()) && !now.equals(state)) {
      throw OtherWriter.isOpen(path, now);
    }
    LiveControl.write(state, channel);
  }

  // Not kept for longer: it would end when this process closes any other channel of the file.
  private void awaitLock(FileChannel channel) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      if (LockFile.Lock.tryTake(channel, UnfinishedFile.LOCK_AT) != null) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new FileSystemException(
        path.toString(),
        null,
        "must be opened by one at a time, but another process opens it by another name now; try"
            + " again");
  }

  /** Returns what to say of a file that was closed by whoever uses it. */
  public static String closed(String path) {
    return "the live file " + path + " was closed; open it again by openOrCreate or openLive";
  }

  /** Releases the lock. Closing again has no effect on a later lock. */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      release(openHere, lock);
    }
  }
}
