package io.bloomery.internal.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The replacement of a file as a whole, in one step: readers see the old content or the new one,
 * also those that have the old one open.
 *
 * <p>New content is written to a hidden file beside the old, {@code
 * .NAME.PROCESS-RANDOM.bloomery.tmp}, which then takes the old one's name. A writer that fails or
 * is killed changes nothing; and of several that save under one name at the same time, one wins.
 *
 * <p>A new file has the permissions that the process gives new files. One that replaces another has
 * the same permissions from before its first byte is written, and the same owner and group as far
 * as the system lets us. Other names of the old one, hard links, keep the old content.
 */
public final class FileReplacement {

  /** What to write. */
  public interface Content {

    /** Writes all of it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** What must hold when all is written. */
  interface Condition {

    /**
     * Looks whether it holds.
     *
     * @throws IOException if it does not: nothing is replaced
     */
    void check() throws IOException;
  }

  private FileReplacement() {}

  /**
   * Replaces a file: whatever happens, it holds either what it held or all of the new content,
   * which is complete on the disk before it takes the name, and has the name before this returns.
   * What content throws passes through; the file is then what it was. An interrupt does not break
   * it off.
   *
   * @throws FileSystemException if {@code path} is neither a regular file nor absent, after links
   */
  public static void replace(Path path, Content content) throws IOException {
    replace(FileTarget.of(path), content, () -> {});
  }

  static void replace(Path target, Content content, Condition condition) throws IOException {
    Path folder = FileTarget.folder(target);
    boolean isForced = Uninterrupted.run(() -> canForce(folder));
    try (UnfinishedFile unfinished = UnfinishedFile.of(target)) {
      // First, since they may take the room that is needed now.
      Leftovers.removeBeside(unfinished.path());
      content.writeTo(unfinished.output());
      unfinished.force();
      condition.check();
      unfinished.moveToTarget();
    }
    if (isForced) {
      Uninterrupted.run(() -> force(folder, target));
    }
  }

  // Windows does not open folders, some file systems do not force them, and one that may be
  // written but not read cannot be opened: there a new name is as safe as they make it. Tried
  // before anything changes, so that a disk that fails later is not taken for one of these.
  private static boolean canForce(Path folder) throws IOException {
    try {
      return force(folder);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder)) {
      channel.force(true);
    }
    return true;
  }

  private static boolean force(Path folder, Path target) throws IOException {
    try {
      return force(folder);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      FileSystemException unsafe =
          new FileSystemException(
              target.toString(),
              null,
              "is replaced, but its folder could not be forced to the disk ("
                  + e.getMessage()
                  + "): until that is, a loss of power may bring the old content back");
      unsafe.initCause(e);
      throw unsafe;
    }
  }
}
