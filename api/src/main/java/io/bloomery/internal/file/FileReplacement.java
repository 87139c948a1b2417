package io.bloomery.internal.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Atomic replacement of a file: readers see either the old or the new content, including readers
 * that have the old file open.
 *
 * <p>New content is written to a hidden file beside the old one, {@code
 * .NAME.PROCESS-RANDOM.bloomery.tmp}, which is then renamed. A writer that fails or is killed
 * changes nothing. If several save to the same path at the same time, one of them wins.
 *
 * <p>A new file has the default permissions of the process. A file that replaces another has the
 * same permissions from before its first byte is written, except that its owner may write to it
 * until it is renamed, and the same owner and group as far as the system permits. Other hard links
 * to the old file keep the old content.
 */
public final class FileReplacement {

  /** The content to write. */
  public interface Content {

    /** Writes the content completely. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** A condition that must hold after the content is written, for the file to be replaced. */
  interface Condition {

    /**
     * Checks the condition.
     *
     * @throws IOException if it does not hold; nothing is replaced
     */
    void check() throws IOException;
  }

  /** The last step of a save. */
  private interface Naming {
    void name(UnfinishedFile unfinished, LockFile.Others others) throws IOException;
  }

  /**
   * The number of the disk that a folder was forced to most recently. Others on it need only be
   * opened: decisions.md#a-folder-is-forced-to-the-disk-before-a-save-as-well
   */
  private static volatile @Nullable Object lastForced;

  private FileReplacement() {}

  /**
   * Replaces a file. After any failure, the file has either its previous content or all of the new
   * content. The new content is forced to disk before the file is renamed, and the file is renamed
   * before this method returns. Exceptions thrown by {@code content} are propagated; the file is
   * then unchanged. An interrupt does not abort the replacement.
   *
   * @throws FileSystemException if {@code path}, with links followed, is neither a regular file nor
   *     absent, or belongs to a finished folder of shards
   */
  public static void replace(Path path, Content content) throws IOException {
    Path target = FileTarget.of(path);
    replace(target, LockFile.of(target), content, () -> {});
  }

  /**
   * Makes a file as {@link #replace} does, unless there is one when the content is complete.
   *
   * @throws FileAlreadyExistsException if there is one, also if another has just made it; it is
   *     unchanged
   */
  public static void create(Path path, Content content) throws IOException {
    Path target = FileTarget.of(path);
    save(
        target,
        LockFile.of(target),
        content,
        (unfinished, others) -> ShardsLock.rename(target, unfinished::linkToTarget));
  }

  /**
   * Removes a file, if there is one, durably where its folder can be forced to the disk.
   *
   * @throws IOException if that fails; the file may be there, now or after a loss of power
   */
  public static void remove(Path path) throws IOException {
    Path target = FileTarget.of(path);
    Path folder = FileTarget.folder(target);
    boolean isForced = Uninterrupted.run(() -> canForce(folder));
    Files.deleteIfExists(target);
    if (isForced) {
      Uninterrupted.run(
          () ->
              force(
                  folder,
                  target,
                  "is removed",
                  "a loss of power may bring it back; remove it again"));
    }
  }

  static void replace(Path target, LockFile lock, Content content, Condition condition)
      throws IOException {
    checkNotInUse(target, lock);
    save(
        target,
        lock,
        content,
        (unfinished, others) -> {
          checkNotInUse(target, others);
          ShardsLock.rename(
              target,
              () -> {
                condition.check();
                unfinished.moveToTarget();
              });
        });
  }

  private static void save(Path target, LockFile lock, Content content, Naming naming)
      throws IOException {
    Path folder = FileTarget.folder(target);
    boolean isForced = Uninterrupted.run(() -> canForce(folder));
    try (UnfinishedFile unfinished = UnfinishedFile.of(target)) {
      // First, because leftovers may occupy the space that is needed.
      Leftovers.removeBeside(unfinished.path());
      OutputStream out = new BufferedOutputStream(unfinished.output());
      content.writeTo(out);
      out.flush();
      unfinished.force();
      lock.rename(others -> naming.name(unfinished, others));
    }
    if (isForced) {
      Uninterrupted.run(
          () ->
              force(
                  folder,
                  target,
                  "is replaced",
                  "a loss of power may bring the old content back; save it again"));
    }
  }

  private static void checkNotInUse(Path target, LockFile lock) throws IOException {
    if (LiveControl.openState(target).isPresent()) {
      lock.rename(others -> checkNotInUse(target, others));
    }
  }

  /**
   * Checks that a file is no live file that its writer has open: what is put there would be lost.
   */
  private static void checkNotInUse(Path target, LockFile.Others others) throws IOException {
    Optional<LiveControl.State> open = LiveControl.openState(target);
    if (open.isPresent() && others.haveLock()) {
      throw new FileSystemException(
          target.toString(),
          null,
          "must not be replaced while its writer has it open, but is "
              + open.get()
              + "; close it first, or save another file");
    }
  }

  // Windows cannot open folders, some file systems cannot force them, and a folder without read
  // permission cannot be opened: there, renaming is as durable as the system makes it. Tried before
  // anything is changed, so that a later disk failure is not mistaken for one of these cases.
  static boolean canForce(Path folder) throws IOException {
    try {
      Object device = device(folder);
      if (device != null && device.equals(lastForced)) {
        FileChannel.open(folder).close();
        return true;
      }
      force(folder);
      lastForced = device;
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the number of the disk that holds a folder, or null if the system has none. */
  private static @Nullable Object device(Path folder) throws IOException {
    return folder.getFileSystem() == FileSystems.getDefault()
            && FileTarget.hasUnixAttributes(folder)
        ? Files.getAttribute(folder, "unix:dev")
        : null;
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder)) {
      channel.force(true);
    }
  }

  /**
   * Forces a folder after one of its names was changed.
   *
   * @param done what was done to the name
   * @param danger what may happen if the folder is not forced, and what to do
   * @throws FileSystemException if it cannot be forced
   */
  static boolean force(Path folder, Path target, String done, String danger) throws IOException {
    try {
      force(folder);
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      FileSystemException unsafe =
          new FileSystemException(
              target.toString(),
              null,
              done
                  + ", but its folder could not be forced to the disk ("
                  + e.getMessage()
                  + "), so that "
                  + danger);
      unsafe.initCause(e);
      throw unsafe;
    }
  }
}
