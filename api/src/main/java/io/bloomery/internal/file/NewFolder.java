package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that is made if it is missing, and whose name survives a loss of power. */
public final class NewFolder {
  // decisions.md#the-folder-above-that-of-shards-is-forced-with-each-shard

  private NewFolder() {}

  /**
   * Makes a folder, and first those above that are missing. Its name is forced to the disk, also if
   * it is there: who made it may have been killed before. Names further above were forced before it
   * was made, unless it was made otherwise.
   *
   * @throws FileAlreadyExistsException if it, or one above, is a file
   * @throws FileSystemException if it is made, but its name could not be forced
   */
  public static void make(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent == null) {
      return;
    }
    boolean isMissing = !Files.isDirectory(folder);
    if (isMissing) {
      make(parent);
    }
    boolean isForced = Uninterrupted.run(() -> FileReplacement.canForce(parent));
    if (isMissing) {
      create(folder);
    }
    if (isForced) {
      Uninterrupted.run(() -> force(parent, folder));
    }
  }

  private static void create(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) { // nor made by another meanwhile
        throw e;
      }
    }
  }

  private static boolean force(Path parent, Path folder) throws IOException {
    return FileReplacement.force(
        parent,
        folder,
        "is there",
        "a loss of power may remove it with all that is in it; save it again");
  }
}
